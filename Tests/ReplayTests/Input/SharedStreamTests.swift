import JSONText
import TestSupport
import Testing

@testable import Replay

/// The two maps against the streams they are made for.
@Suite(.enabled(if: SharedData.has("sendy_events.csv.gz"), Comment(rawValue: SharedData.missing)))
struct SharedStreamTests {
    private func events(_ name: String) throws -> [FileEvent] {
        let map = try ColumnMap(try EventFile.json(path: SharedData.fixture("\(name).map.json")), name: name)
        return try EventFile.table(path: SharedData.path("\(name)_events.csv.gz"), map: map)
    }

    @Test func `every Sendy row is an event, and placed carries no courier`() throws {
        let events = try events("sendy")
        #expect(events.count == 106_005)
        let recording = Recording(events, settings: ReplaySettings())
        #expect(recording.orders.count == 21_201)
        #expect(recording.orders.allSatisfy { $0.sequence.count == 5 })
        let expected: JSON = [
            "specversion": "1.0", "source": "sendy", "id": "Order_No_4211/0", "subject": "Order_No_4211",
            "time": "2026-10-09T09:35:46+03:00", "type": "order.placed", "sourcetype": "order.placed",
            "data": ["customer": "User_Id_633", "restaurant": ["timeZone": "Africa/Nairobi"]],
        ]
        #expect(events.first.map { JSON.object($0.event) } == expected)
        let withCourier = events.filter { $0.event["data"]?["courier"] != nil }
        #expect(withCourier.count == 4 * 21_201)
        #expect(events.filter { $0.event["type"] == "courier.at_pickup" }.count == 21_201)
    }

    @Test func `every DoorDash row is an event of the app that starts early`() throws {
        let events = try events("doordash")
        #expect(events.count == 67_745)
        #expect(Set(events.map(\.subject)).count == 18_079)
        let placed = events.filter { $0.event["type"] == "order.placed" }
        #expect(placed.count == 18_079)
        #expect(placed.allSatisfy { $0.event["data"]?["courier"] == nil })
    }
}
