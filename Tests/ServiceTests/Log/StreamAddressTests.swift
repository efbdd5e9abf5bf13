import Crypto
import Service
import Testing
import Tracking

struct StreamAddressTests {
    /// Frozen: a stream whose key or lane changed would be lost, so these numbers never change.
    @Test(arguments: [
        Golden(1, .order, "o-1", "d972252e-05c5-c509-a750-b63dd918d53d", [6, 54, 217]),
        Golden(1, .order, "", "8f829cae-ae56-9b8d-4400-057c6d77d844", [4, 35, 143]),
        Golden(2, .order, "o-1", "2afb473f-5c4e-c988-0fd0-4eeb4f1e5726", [1, 10, 42]),
        Golden(1, .device, "o-1", "00fc8bcf-60e7-1030-944e-0512636e9b86", [0, 0, 0]),
        Golden(1, .customer, "ann", "be4c243e-5cc2-b079-c47c-fbbf3912d8fd", [5, 47, 190]),
        Golden(7, .token, "\u{E9}/\u{1F6F5}", "673118af-0def-619a-66cd-2b528586e29c", [3, 25, 103]),
    ])
    func `keys and lanes are what they always were`(_ golden: Golden) {
        let address = StreamAddress(app: golden.app, kind: golden.kind, stream: golden.stream)
        #expect(address.key.description == golden.key)
        #expect([8, 64, 256].map { address.lane(of: $0) } == golden.lanes)
    }

    struct Golden: Sendable {
        let app: Int32
        let kind: StreamKind
        let stream: String
        let key: String
        /// Of 8, 64 and 256.
        let lanes: [Int32]

        init(_ app: Int32, _ kind: StreamKind, _ stream: String, _ key: String, _ lanes: [Int32]) {
            (self.app, self.kind, self.stream, self.key, self.lanes) = (app, kind, stream, key, lanes)
        }
    }

    @Test func `ids that look alike are different streams`() {
        let composed = StreamAddress(app: 1, kind: .order, stream: "caf\u{E9}")
        let decomposed = StreamAddress(app: 1, kind: .order, stream: "cafe\u{301}")
        #expect(composed.key != decomposed.key)
    }

    @Test func `lanes are used evenly`() {
        var counts = [Int](repeating: 0, count: 64)
        for number in 0..<6400 {
            counts[Int(StreamAddress(app: 1, kind: .order, stream: "o-\(number)").lane(of: 64))] += 1
        }
        #expect(counts.allSatisfy { 50..<160 ~= $0 })
    }

    @Test func `one lane holds everything`() {
        #expect(StreamAddress(app: 9, kind: .device, stream: "d").lane(of: 1) == 0)
    }
}
