internal import JSONText

/// The parts of an ActivityKit payload that a phone acts on (contract 3.1).
struct ActivityPayload: Sendable {
    enum Event: String, Sendable {
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
    let hasAlert: Bool
    /// Unix seconds.
    let staleDate: Int64?
    /// Unix seconds.
    let dismissalDate: Int64?
    /// `input-push-channel`: the id of a channel that the new card is to listen to.
    let channel: String?

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
        hasAlert = aps["alert"].map { !$0.isNull } ?? false
        staleDate = Self.seconds(aps["stale-date"])
        dismissalDate = Self.seconds(aps["dismissal-date"])
        channel = aps["input-push-channel"].flatMap { $0.isNull ? nil : $0.stringValue ?? "" }
    }

    private static func seconds(_ value: JSON?) -> Int64? {
        value?.int64Value ?? value?.doubleValue.flatMap { Int64(exactly: $0.rounded(.down)) }
    }
}
