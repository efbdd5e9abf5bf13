import Crypto
import Postgres
import PostgresStore
import Runtime
import TestSupport
import Tracking

/// One moment for all tests, and its day: ranges of days exist around today only.
let now = WallClock.microseconds / 1_000_000 * 1_000_000
let today = Int32(now / 86_400_000_000)
let second: Int64 = 1_000_000

/// A fact of an order's stream in app 1, source 1.
func item(
    _ order: String,
    _ id: String,
    content: String = "x",
    expectedVersion: Int32? = nil
) -> EventItem {
    EventItem(
        key: UUID128(sha256Prefix: Array("1/1/o/\(order)/\(id)".utf8)),
        print: UUID128(sha256Prefix: Array(content.utf8)),
        expectedVersion: expectedVersion,
        flags: 0,
        streamKey: streamKey(order),
        app: 1,
        source: 1,
        kind: .order,
        stream: order,
        type: "order.accepted",
        id: id,
        occurredAt: now - second,
        keyID: 0,
        body: Array(content.utf8)
    )
}

func streamKey(_ order: String) -> UUID128 { UUID128(sha256Prefix: Array("1/o/\(order)".utf8)) }

func append(_ items: [EventItem], lane: Int32 = 0, hint: Int64 = 0) -> Query<[AppendResult]> {
    EventLog.append(lane: lane, hint: hint, day: today, now: now, items)
}

/// Appends, and calls again when somebody took the position, as every appender does.
func appendRetrying(
    _ items: [EventItem],
    lane: Int32 = 0,
    on session: some PostgresSession
) async throws -> [AppendResult] {
    for _ in 0..<5 {
        do { return try await session.run(append(items, lane: lane)) } catch {
            guard error.remedy == .callAgain else { throw error }
        }
    }
    return try await session.run(append(items, lane: lane))
}

func card(_ order: String, _ device: String = "d1", _ incarnation: Int = 1) -> CardKey {
    CardKey(app: 1, order: OrderID(order), device: DeviceID(device), incarnation: incarnation)
}

func slot(
    _ order: String,
    rev: Int32 = 1,
    dueAt: Int64 = now,
    expiresAt: Int64? = nil,
    stamp: Int64 = 100,
    verb: Verb = .update
) -> SlotWrite {
    SlotWrite(
        key: SlotKey(card: card(order)),
        rev: rev,
        dueAt: dueAt,
        expiresAt: expiresAt,
        stamp: stamp,
        verb: verb,
        body: [1, 2]
    )
}

func activity(_ order: String, generation: Int32 = 1, lastStamp: Int64 = 0) -> ActivityRow {
    ActivityRow(
        key: card(order),
        phase: 3,
        tokenGeneration: generation,
        keyID: 0,
        lastStamp: lastStamp,
        token: [9, 9],
        state: [7]
    )
}

func order(_ id: String, placedAt: Int64 = now, closedAt: Int64? = nil, place: String? = nil) -> OrderRow {
    OrderRow(
        app: 1,
        order: OrderID(id),
        version: 1,
        stateVersion: 1,
        pos: 1,
        placedAt: placedAt,
        lastAt: placedAt,
        closedAt: closedAt,
        phase: 1,
        customer: CustomerID("c"),
        place: place,
        courier: nil,
        state: [1]
    )
}

/// Takes a lane for a new owner and answers with its term.
@discardableResult
func takeLane(_ lane: Int32 = 0, at time: Int64 = now, on session: some PostgresSession) async throws -> Int64 {
    let terms = try await session.run(
        Leases.take(lanes: [lane], owner: .random(), now: time, span: 10 * second)
    )
    return terms.first?.term ?? 0
}
