import JSONText
import Testing

@testable import Replay

struct ColumnMapTests {
    private static let valid: JSON = [
        "map": "doorstep.csv.v1", "app": "demo", "source": "acme", "id": "{order}/{step}", "subject": "{order}",
        "time": "{at}", "type": "{word}", "types": ["made": "order.placed", "gone": "order.picked_up"],
        "data": [
            "customer": "{buyer}", "eta": "{eta}", "courier.id": ["value": "{rider}", "from": ["gone"]],
            "restaurant.timeZone": ["literal": "Asia/Kolkata"],
        ],
        "ignore": ["note"],
    ]
    private static let header = ["order", "step", "at", "word", "buyer", "eta", "rider", "note"]

    private func map(_ changes: (inout JSONObject) -> Void = { _ in }) throws -> ColumnMap {
        var object = Self.valid.objectValue ?? JSONObject()
        changes(&object)
        return try ColumnMap(.object(object), name: "m")
    }

    private func event(_ cells: [String], _ map: ColumnMap) throws -> JSON {
        let places = Dictionary(uniqueKeysWithValues: zip(Self.header, Self.header.indices))
        return .object(try map.event(of: ColumnRow(places: places, cells: cells)).event)
    }

    @Test func `a row becomes a CloudEvent that keeps the file's own word`() throws {
        let event = try event(["7", "2", "2026-10-01T10:00:00Z", "gone", "ann", "", "r1", "x"], try map())
        let expected: JSON = [
            "specversion": "1.0", "source": "acme", "id": "7/2", "subject": "7", "time": "2026-10-01T10:00:00Z",
            "type": "order.picked_up", "sourcetype": "gone",
            "data": ["customer": "ann", "courier": ["id": "r1"], "restaurant": ["timeZone": "Asia/Kolkata"]],
        ]
        #expect(event == expected)
    }

    @Test func `a member limited to some words is absent from the others`() throws {
        let event = try event(["7", "1", "t", "made", "ann", "", "r1", ""], try map())
        #expect(event["data"]?["courier"] == nil)
    }

    // D21: a foreign 0 is an unknown time.
    @Test func `an empty cell omits its member, and 0 is no time`() throws {
        let event = try event(["7", "1", "", "made", "", "0", "", ""], try map())
        #expect(event["time"] == nil)
        #expect(event["data"] == ["restaurant": ["timeZone": "Asia/Kolkata"]])
    }

    @Test func `a row without id, subject or type is an error`() throws {
        let map = try map()
        #expect(throws: ColumnMap.RowProblem.self) { try event(["7", "", "t", "made", "", "", "", ""], map) }
        #expect(throws: ColumnMap.RowProblem.self) { try event(["7", "1", "t", "", "", "", "", ""], map) }
    }

    // D14
    @Test func `an unlisted word is an error, or kept when the map says so`() throws {
        let row = ["7", "1", "t", "packed", "", "", "", ""]
        let strict = try map()
        #expect(throws: ColumnMap.RowProblem.self) { try event(row, strict) }
        let kept = try event(row, try map { $0["otherwise"] = "keep" })
        #expect(kept["type"] == "packed")
        #expect(kept["sourcetype"] == "packed")
    }

    @Test func `every column is used or ignored, and only those of the file`() throws {
        let map = try map()
        #expect(map.mismatches(with: Self.header) == [])
        #expect(map.mismatches(with: Self.header + ["zip"]).count == 1)
        #expect(map.mismatches(with: Self.header.dropLast()).count == 1)
        #expect(map.mismatches(with: Self.header + ["note"]).count == 1)
    }

    @Test func `a map tells everything that is wrong with it at once`() {
        let error = #expect(throws: ReplayError.self) {
            try map { object in
                object["map"] = "doorstep.csv.v2"
                object["colour"] = "red"
                object["id"] = "{order"
                object["source"] = nil
                object["otherwise"] = "guess"
                object["data"] = [
                    "eta": ["value": "{eta}", "from": ["packed"]], "courier": "{rider}", "courier.id": "{rider}",
                    "x": 7,
                ]
            }
        }
        #expect(error?.code == .badInput)
        #expect(error?.problems.count == 8)
    }
}
