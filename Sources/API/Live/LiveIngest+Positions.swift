internal import Crypto
internal import JSONText
internal import Postgres
internal import PostgresStore
internal import Runtime
internal import Service
internal import Tracking

/// A courier's position is accepted and never stored: all that is kept of it is that this courier was seen, once in five
/// minutes (engine rules, section 2). It is bound to the order and the courier it names (field case D23): whether that
/// courier is still the order's the fold decides.
extension LiveIngest {
    /// The fact that a courier was seen, if it is time for one. In one stretch of five minutes all processes give it one id.
    func sighting(_ event: IngestEvent, app: Int32, caller: Caller) async throws(Refusal) -> NewFact {
        let expected = try await expectedVersion(event, app: app)
        if let position = sightings.last(event, app: app) { throw Refusal(outcome: .accepted(Receipt(position))) }
        guard event.foldTime > event.receivedAt - Sightings.distance else {
            throw Refusal(outcome: try await unseen(event, app: app))
        }
        guard let source = service.directory.own(.api, app: app) else {
            throw Refusal(outcome: .unavailable(Unavailable(.databaseUnavailable)))
        }
        let courier = event.courier
        return NewFact(
            StreamAddress(app: app, kind: .order, stream: event.subject),
            source: source.number,
            id: "seen/\(event.receivedAt / Sightings.distance)/\(courier ?? "")",
            type: FactType.courierSeen,
            body: JSON.object(["courier": .optional(courier)]).serialized(),
            trace: event.traceParent.map { Array($0.utf8) },
            actor: caller.actor,
            expectedVersion: expected
        )
    }

    /// Where somebody was a while ago confirms nothing now: the answer names the order's newest fact.
    private func unseen(_ event: IngestEvent, app: Int32) async throws(Refusal) -> IngestOutcome {
        let address = StreamAddress(app: app, kind: .order, stream: event.subject)
        let lane = address.lane(of: service.lanes)
        do {
            let head = try await service.pool.run(EventLog.heads(lane: lane, keys: [address.key])).first
            return .accepted(
                Receipt(lane: Int(lane), pos: head?.lastPos ?? 0, version: head.map { Int($0.version) } ?? 0)
            )
        } catch {
            throw Refusal(outcome: .unavailable(Unavailable(.databaseUnavailable)))
        }
    }
}

/// When this process last wrote down that a courier was seen, by order and courier.
final class Sightings: Sendable {
    /// Least distance between two sightings of a courier for one order, in microseconds.
    static let distance: Int64 = 300_000_000

    /// As many orders as are under way at once in a large city.
    private static let most = 100_000

    private struct Key: Hashable {
        let order: UUID128
        let courier: String?
    }

    private let seen = Locked<[Key: (at: Int64, position: LogPosition)]>([:])

    init() {}

    /// The newest sighting, as long as there should be no other.
    func last(_ event: IngestEvent, app: Int32) -> LogPosition? {
        seen.withLock { seen in
            seen[Self.key(event, app)].flatMap { $0.at > event.receivedAt - Self.distance ? $0.position : nil }
        }
    }

    func saw(_ event: IngestEvent, app: Int32, _ position: LogPosition) {
        seen.withLock { seen in
            if seen.count >= Self.most { seen = seen.filter { $0.value.at > event.receivedAt - Self.distance } }
            seen[Self.key(event, app)] = (event.receivedAt, position)
        }
    }

    private static func key(_ event: IngestEvent, _ app: Int32) -> Key {
        Key(order: StreamAddress(app: app, kind: .order, stream: event.subject).key, courier: event.courier)
    }
}

extension IngestEvent {
    var isPosition: Bool { type == .known(.courierLocation) }

    /// The id of the courier it names.
    fileprivate var courier: String? {
        (try? JSON.parse(body))?["data"]?["courier"]?["id"]?.stringValue
    }
}
