import JSONText
import Runtime
import Testing

@testable import Replay

struct RecordingTests {
    private func event(_ order: String, _ id: Int, minute: Int64?, customer: String? = nil) throws -> FileEvent {
        var event: JSONObject = ["source": "s", "type": "order.placed"]
        event["id"] = .string("\(id)")
        event["subject"] = .string(order)
        if let minute { event["time"] = .string(RFC3339.format(minute * 60_000_000)) }
        if let customer { event["data"] = ["customer": .string(customer)] }
        return try #require(FileEvent(event))
    }

    private func settings(_ change: (inout ReplaySettings) -> Void) -> ReplaySettings {
        var settings = ReplaySettings()
        change(&settings)
        return settings
    }

    private func customers(_ recording: Recording) throws -> [String?] {
        try recording.rows.map { try JSON.parse($0.body)["data"]?["customer"]?.stringValue }
    }

    @Test func `rows go by event time, equals in file order, rows without a time after the row before`() throws {
        let events = try [
            event("a", 1, minute: 9), event("a", 2, minute: 5), event("b", 3, minute: nil), event("b", 4, minute: 5),
        ]
        let recording = Recording(events, settings: ReplaySettings())
        #expect(recording.sequence.map { recording.rows[$0].id } == ["2", "3", "4", "1"])
        #expect(recording.orders.map(\.id) == ["a", "b"])
    }

    @Test func `repeats follow their row and belong to the same id`() throws {
        let events = try [event("a", 1, minute: 1), event("b", 2, minute: 2)]
        let recording = Recording(events, settings: settings { $0.repeats = 3 })
        #expect(recording.sequence == [0, 0, 0, 1, 1, 1])
        #expect(recording.orders.map(\.sequence) == [[0, 0, 0], [1, 1, 1]])
        #expect(recording.rows.count == 2)
    }

    @Test func `a shuffle is a permutation of all rows and repeats, the same for the same seed`() throws {
        let events = try (0..<50).map { try event("o\($0 % 7)", $0, minute: Int64($0)) }
        func shuffled(_ seed: UInt64) -> Recording {
            Recording(events, settings: settings { ($0.shuffle, $0.repeats) = (seed, 2) })
        }
        let recording = shuffled(1)
        #expect(recording.sequence == shuffled(1).sequence)
        #expect(recording.sequence != shuffled(2).sequence)
        #expect(recording.sequence.sorted() == events.indices.flatMap { [$0, $0] })
        for order in recording.orders.indices {
            #expect(
                recording.orders[order].sequence == recording.sequence.filter { recording.rows[$0].order == order }
            )
        }
    }

    @Test func `with phones per order each order has a customer of its own`() throws {
        let events = try [
            event("a", 1, minute: 1), event("a", 2, minute: 2, customer: "ann"), event("b", 3, minute: 3),
            event("b", 4, minute: 4), event("c", 5, minute: 5, customer: "ann"),
        ]
        let recording = Recording(events, settings: ReplaySettings())
        #expect(recording.orders.map(\.customer) == ["ann/a", "guest/b", "ann/c"])
        #expect(try customers(recording) == [nil, "ann/a", "guest/b", nil, "ann/c"])
    }

    @Test func `with phones per customer the file's customers stay as they are`() throws {
        let events = try [event("a", 1, minute: 1, customer: "ann"), event("b", 2, minute: 2)]
        let recording = Recording(events, settings: settings { $0.phones = .perCustomer })
        #expect(recording.orders.map(\.customer) == ["ann", nil])
        #expect(try customers(recording) == ["ann", nil])
    }

    @Test func `rebasing moves every time by the same whole days`() throws {
        var event = try event("a", 1, minute: 60)
        event.event["data"] = ["eta": "1970-01-01T02:30:00+01:00", "pickupEta": nil, "scheduledFor": "soon"]
        let days = try #require(Rebase.days(for: [event], now: 10 * 86_400_000_000 + 1, asked: true))
        #expect(days == 9)
        let moved = Rebase.move(event, days: days)
        #expect(moved.event["time"] == "1970-01-10T01:00:00Z")
        #expect(moved.event["data"]?["eta"] == "1970-01-10T01:30:00Z")
        #expect(moved.event["data"]?["pickupEta"]?.isNull == true)
        #expect(moved.event["data"]?["scheduledFor"] == "soon")
    }

    @Test func `without being asked only a time over a day ahead is moved, and never past now`() throws {
        let event = try event("a", 1, minute: 60 * 24 * 3)
        let day: Int64 = 86_400_000_000
        #expect(Rebase.days(for: [event], now: 20 * day, asked: false) == nil)
        #expect(Rebase.days(for: [event], now: 2 * day, asked: false) == nil)
        #expect(Rebase.days(for: [event], now: 2 * day - 1, asked: false) == -2)
        #expect(Rebase.days(for: [event], now: 3 * day, asked: true) == nil)
    }
}
