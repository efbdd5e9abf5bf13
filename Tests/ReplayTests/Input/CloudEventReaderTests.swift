import Testing

@testable import Replay

struct CloudEventReaderTests {
    private func read(_ text: String, piece: Int = .max) throws -> [FileEvent] {
        var reader = CloudEventReader(name: "f")
        var rest = [UInt8](text.utf8)[...]
        while !rest.isEmpty {
            try reader.read(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        return try reader.finish()
    }

    private static let one =
        #"{"id":"1","source":"s","type":"order.placed","subject":"o","time":"2026-10-01T00:00:00Z"}"#
    private static let two = #"{"id":"2","source":"s","type":"order.accepted","subject":"o","data":{"customer":"c"}}"#

    @Test func `lines and arrays read alike, in pieces of any size`() throws {
        for text in ["\n\(Self.one)\r\n\n\(Self.two)", " [\(Self.one),\n\(Self.two)]\n"] {
            for piece in [1, 7, 1000] {
                let events = try read(text, piece: piece)
                #expect(events.map(\.id) == ["1", "2"])
                #expect(events.map(\.time) == [1_790_812_800_000_000, nil])
                #expect(events.map(\.customer) == [nil, "c"])
            }
        }
    }

    @Test func `an empty file holds no events`() throws {
        #expect(try read(" \n").isEmpty)
        #expect(try read("[]").isEmpty)
    }

    @Test(arguments: ["order_id,step\n1,2\n3,4\n", "\n\"order_id\",\"step\"\n", "\u{FEFF}a,b\n"])
    func `a table is told once, with what it needs`(text: String) {
        let error = #expect(throws: ReplayError.self) { try read(text) }
        #expect(error?.code == .badInput)
        #expect(error?.problems.count == 1)
        #expect(error?.problems.first?.contains("--map MAP.json") == true)
    }

    @Test func `what is no event is named by its line`() {
        let error = #expect(throws: ReplayError.self) {
            try read("\n\(Self.one)\n{\"id\":\"3\"}\nnot json\n")
        }
        #expect(error?.problems.count == 2)
        #expect(error?.problems.first?.contains("line 3") == true)
        #expect(error?.problems.last?.contains("line 4") == true)
    }
}
