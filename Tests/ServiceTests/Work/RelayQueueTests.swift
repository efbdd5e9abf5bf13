import PostgresStore
import Runtime
import Testing
import Tracking

@testable import Service

struct RelayQueueTests {
    @Test func `of one stream's messages only the first is under way`() {
        var queue = RelayQueue()
        for (number, stream) in ["a", "b", "a", "a"].enumerated() { queue.add(parcel(number, to: stream)) }
        #expect(queue.take().map(number) == [0, 1])
        #expect(queue.isEmpty)
        queue.arrived(parcel(0, to: "a"))
        #expect(queue.take().map(number) == [2])
        queue.arrived(parcel(1, to: "b"))
        #expect(queue.isEmpty)
        queue.add(parcel(9, to: "b"))
        #expect(queue.take().map(number) == [9])
    }

    @Test func `a message that did not arrive goes before those behind it`() {
        var queue = RelayQueue()
        for number in 0..<3 { queue.add(parcel(number, to: "a")) }
        let first = queue.take()
        queue.failed(first[0])
        #expect(queue.take().map(number) == [0])
        queue.arrived(first[0])
        #expect(queue.take().map(number) == [1])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `every stream hears everything once and in order, however often attempts fail`(_ seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var queue = RelayQueue()
        var told: [String: [Int]] = [:]
        var heard: [String: [Int]] = [:]
        var underWay: [RelayQueue.Parcel] = []
        for step in 0..<400 {
            if step < 200 {
                let stream = ["a", "b", "c"][Int.random(in: 0..<3, using: &numbers)]
                queue.add(parcel(step, to: stream))
                told[stream, default: []].append(step)
            }
            underWay += queue.take()
            underWay.shuffle(using: &numbers)
            guard let parcel = underWay.popLast() else { continue }
            if Int.random(in: 0..<3, using: &numbers) == 0 {
                queue.failed(parcel)
            } else {
                heard[parcel.address.stream, default: []].append(number(parcel))
                queue.arrived(parcel)
            }
        }
        while let parcel = underWay.popLast() ?? queue.take().first {
            heard[parcel.address.stream, default: []].append(number(parcel))
            queue.arrived(parcel)
            underWay += queue.take()
        }
        #expect(heard == told)
    }

    private func number(_ parcel: RelayQueue.Parcel) -> Int { Int(parcel.relay.key.pos) }

    private func parcel(_ number: Int, to stream: String) -> RelayQueue.Parcel {
        RelayQueue.Parcel(
            lane: 0,
            relay: Projection.PendingRelay(
                key: RelayKey(pos: Int64(number), number: 0),
                app: 1,
                relay: StoredRelay(kind: .device, stream: stream, type: FactType.cardLive, body: [])
            ),
            address: StreamAddress(app: 1, kind: .device, stream: stream)
        )
    }
}
