import JSONText
import Testing

@testable import Replay

struct GeneratorTests {
    private static let end: Int64 = 1_790_812_800_123_000

    private func lines(orders: Int, seed: UInt64, end: Int64 = end) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        Generator(orders: orders, seed: seed, end: end).run { lines.append($0) }
        return lines
    }

    @Test func `same seed and end give the same bytes, another seed others`() {
        #expect(lines(orders: 20, seed: 4) == lines(orders: 20, seed: 4))
        #expect(lines(orders: 20, seed: 4) != lines(orders: 20, seed: 5))
    }

    @Test func `the newest event stands at the end, and times only rise`() throws {
        let times = try lines(orders: 50, seed: 1).map { line in
            try #require(JSON.parse(line)["time"]?.stringValue.flatMap { RFC3339.parse($0)?.microseconds })
        }
        #expect(times.last == Self.end)
        #expect(times == times.sorted())
    }

    @Test func `every order is placed once and ends at most once`() throws {
        let finals = ["order.delivered", "order.cancelled", "order.returned"]
        var reader = CloudEventReader(name: "generated")
        for line in lines(orders: 400, seed: 2) { try reader.read(line + [UInt8(ascii: "\n")]) }
        let orders = Dictionary(grouping: try reader.finish(), by: \.subject)
        #expect(orders.count == 400)
        for events in orders.values {
            let types = events.compactMap { $0.event["type"]?.stringValue }
            #expect(types.count { $0 == "order.placed" } == 1)
            #expect(types.count { finals.contains($0) } == 1)
            #expect(Set(events.map(\.id)).count == events.count)
        }
    }

    @Test func `two streams share no order, whatever they share`() throws {
        let first = try Set(lines(orders: 5, seed: 1).map { try JSON.parse($0)["subject"]?.stringValue })
        let second = try Set(
            lines(orders: 5, seed: 1, end: Self.end + 1_000_000).map {
                try JSON.parse($0)["subject"]?.stringValue
            }
        )
        #expect(first.isDisjoint(with: second))
    }

    @Test func `no orders are no lines`() {
        #expect(lines(orders: 0, seed: 1).isEmpty)
    }
}
