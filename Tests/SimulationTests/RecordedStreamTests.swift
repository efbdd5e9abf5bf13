import Foundation
import Replay
import Simulation
import Testing
import Tracking

/// From a file to orders.
struct RecordedStreamTests {
    private func stream(_ lines: String...) throws -> RecordedStream {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        return try RecordedStream(path: file.path, map: nil)
    }

    private func line(_ order: String, _ id: String, _ type: String, _ time: String?, _ data: String = "{}") -> String {
        let stamp = time.map { #","time":"2026-11-30T\#($0)Z""# } ?? ""
        return
            #"{"specversion":"1.0","source":"s","id":"\#(id)","type":"\#(type)","subject":"\#(order)"\#(stamp),"data":\#(data)}"#
    }

    @Test func `events become the facts of their orders, in order of time and each once`() throws {
        let stream = try stream(
            line("1", "b", "order.accepted", "10:05:00"),
            line("2", "a", "order.placed", "10:00:00", #"{"customer":"bo"}"#),
            line("1", "a", "order.placed", "10:00:00", #"{"customer":"ana","eta":"2026-11-30T11:00:00Z"}"#),
            line("1", "b", "order.accepted", "10:05:00"),
            line("1", "c", "order.picked_up", nil)
        )
        #expect(stream.orders.map(\.id.value) == ["1", "2"])
        #expect(stream.orders.map(\.customer) == [CustomerID("ana"), CustomerID("bo")])
        #expect(stream.orders.first?.facts.map(\.type.word) == ["order.placed", "order.accepted", "order.picked_up"])
        #expect(stream.orders.first?.facts.map(\.flags) == [[], [], .timeAssumed])
        #expect(stream.orders.first?.facts.first?.data.eta == .known(Instant(seconds: 1_796_036_400)))
        #expect(stream.events == 4)
        #expect(stream.duplicates == 1)
    }

    @Test func `everything that cannot be read is told at once`() {
        let error = #expect(throws: ReplayError.self) {
            try stream(
                line("1", "a", "eta.changed", "10:00:00", #"{"eta":"soon"}"#),
                line("2", "b", "order.placed", "10:00:00", #"{"scheduledFor":7}"#),
                "[]"
            )
        }
        #expect(error?.code == .badInput)
        #expect(error?.problems.count == 3)
        #expect(error?.problems.contains { $0.contains("event a of order 1: `eta` cannot be read") } == true)
        #expect(#expect(throws: ReplayError.self) { try stream("") }?.problems.count == 1)
    }

    @Test func `invented arrival times depend on the seed and the order alone`() {
        let orders = (0..<200).map { number in
            RecordedOrder(
                id: OrderID("\(number)"),
                facts: [event("order.placed", at: 0), event("order.delivered", at: 60)]
            )
        }
        let stream = RecordedStream(orders)
        let (one, same) = (stream.inventingArrivals(seed: 1), stream.inventingArrivals(seed: 1))
        #expect(one.orders.map(\.facts) == same.orders.map(\.facts))
        #expect(one.orders.map(\.facts) != stream.inventingArrivals(seed: 2).orders.map(\.facts))
        #expect(
            RecordedStream(orders.suffix(1)).inventingArrivals(seed: 1).orders.last?.facts == one.orders.last?.facts
        )
        let untouched = one.orders.count { $0.facts.count == 2 }
        #expect((5...40).contains(untouched))
        #expect(one.orders.contains { $0.facts.contains { $0.data.eta == .unknown } })
        let gaps = one.orders.flatMap { zip($0.facts, $0.facts.dropFirst()).map { $1.key.time - $0.key.time } }
        #expect(gaps.allSatisfy { $0 >= .zero })
        #expect(gaps.contains { $0 > .seconds(1200) } && gaps.contains { $0 < .seconds(5) && $0 > .zero })
    }
}
