import PostgresStore
import Runtime
import Testing
import Tracking

@testable import Service

struct SlotQueueTests {
    @Test func `the earliest comes first, and only when it is due`() {
        var queue = SlotQueue()
        queue.add(hint("b", dueAt: 20))
        queue.add(hint("a", dueAt: 10))
        #expect(queue.nextDue == 10)
        #expect(queue.takeDue(at: 9, limit: 5).isEmpty)
        #expect(queue.takeDue(at: 15, limit: 5).map(\.card.order.value) == ["a"])
        #expect(queue.nextDue == 20)
        #expect(queue.takeDue(at: 20, limit: 5).map(\.card.order.value) == ["b"])
        #expect(queue.nextDue == nil)
    }

    @Test func `a newer revision replaces an older one, also when it is due later`() {
        var queue = SlotQueue()
        queue.add(hint("a", revision: 1, dueAt: 10))
        queue.add(hint("a", revision: 2, dueAt: 30))
        #expect(queue.count == 1)
        #expect(queue.takeDue(at: 20, limit: 5).isEmpty)
        #expect(queue.takeDue(at: 30, limit: 5).map(\.revision) == [2])
    }

    /// A hint that could not be claimed is put back while a newer one may have come.
    @Test func `an older revision never replaces a newer one`() {
        var queue = SlotQueue()
        queue.add(hint("a", revision: 2, dueAt: 10))
        queue.add(hint("a", revision: 1, dueAt: 5))
        #expect(queue.takeDue(at: 10, limit: 5).map(\.revision) == [2])
    }

    @Test func `no more than the limit is taken at once`() {
        var queue = SlotQueue()
        for number in 0..<5 { queue.add(hint("o\(number)", dueAt: Int64(number))) }
        #expect(queue.takeDue(at: 9, limit: 3).count == 3)
        #expect(queue.takeDue(at: 9, limit: 3).count == 2)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `nothing is lost or doubled under any sequence`(_ seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var queue = SlotQueue()
        var expected: [String: SlotHint] = [:]
        var now: Int64 = 0
        for step in 0..<300 {
            let order = "o\(Int.random(in: 0..<12, using: &numbers))"
            let dueAt = now + Int64.random(in: -5...20, using: &numbers)
            let hint = hint(order, revision: Int32(step), dueAt: dueAt)
            queue.add(hint)
            expected[order] = hint
            now += Int64.random(in: 0...4, using: &numbers)
            let due = queue.takeDue(at: now, limit: Int.random(in: 0...4, using: &numbers))
            for taken in due {
                #expect(taken.dueAt <= now)
                #expect(expected.removeValue(forKey: taken.card.order.value) == taken)
            }
            #expect(queue.count == expected.count)
        }
        #expect(queue.takeDue(at: .max, limit: 100).count == expected.count)
    }

    private func hint(_ order: String, revision: Int32 = 1, dueAt: Int64) -> SlotHint {
        SlotHint(
            lane: 0,
            card: CardKey(app: 1, order: OrderID(order), device: DeviceID("d"), incarnation: 1),
            revision: revision,
            isStart: false,
            attempt: 1,
            dueAt: dueAt
        )
    }
}
