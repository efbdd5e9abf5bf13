internal import JSONText

/// The parts of an ActivityKit payload that a phone acts on (contract 3.1).
struct ActivityPayload: Sendable, Codable {
    enum Event: String, Sendable, Codable {
        case start
        case update
        case end
    }

    let event: Event
    /// Unix seconds.
    let timestamp: Int64
    let contentState: JSON?
    let attributesType: String?
    let attributes: JSON?
    /// Nil when absent or null.
    let alert: JSON?
    /// Unix seconds.
    let staleDate: Int64?
    /// Unix seconds.
    let dismissalDate: Int64?
    /// `input-push-channel`: the id of a channel that the new card is to listen to.
    let channel: String?
    /// Any number; the highest is shown first. 0 when absent.
    let relevance: Double

    /// Nil when the body is no JSON object with a usable `aps`: the system has nothing to act on.
    init?(_ body: [UInt8]) {
        guard let aps = (try? JSON.parse(body))?["aps"]?.objectValue,
            let event = aps["event"]?.stringValue.flatMap(Event.init),
            let timestamp = Self.seconds(aps["timestamp"])
        else { return nil }
        self.event = event
        self.timestamp = timestamp
        contentState = aps["content-state"]
        attributesType = aps["attributes-type"]?.stringValue
        attributes = aps["attributes"]
        alert = aps["alert"].flatMap { $0.isNull ? nil : $0 }
        staleDate = Self.seconds(aps["stale-date"])
        dismissalDate = Self.seconds(aps["dismissal-date"])
        channel = aps["input-push-channel"].flatMap { $0.isNull ? nil : $0.stringValue ?? "" }
        relevance = aps["relevance-score"]?.doubleValue ?? 0
    }

    var hasAlert: Bool { alert != nil }
    /// Microseconds.
    var staleAt: Int64? { staleDate?.inMicroseconds }
    /// Microseconds.
    var dismissAt: Int64? { dismissalDate?.inMicroseconds }

    /// No time that means anything lies further away, Unix seconds.
    private static let farthest: Int64 = 1_000_000_000_000

    private static func seconds(_ value: JSON?) -> Int64? {
        let seconds = value?.int64Value ?? value?.doubleValue.flatMap { Int64(exactly: $0.rounded(.down)) }
        return seconds.map { min(max($0, -farthest), farthest) }
    }
}
