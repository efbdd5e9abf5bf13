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

    /// What is taken may be an older revision, which is not there to be claimed any more: the newer hint must not be lost.
    @Test func `a hint that comes while its card is taken waits until the card is given back`() {
        var queue = SlotQueue()
        queue.add(hint("a", revision: 1, dueAt: 10))
        #expect(queue.takeDue(at: 10, limit: 5).map(\.revision) == [1])
        queue.add(hint("a", revision: 2, dueAt: 10))
        #expect(queue.nextDue == nil)
        #expect(queue.takeDue(at: 99, limit: 5).isEmpty)
        let waited = queue.giveBack(card("a"))
        #expect(waited)
        #expect(queue.takeDue(at: 10, limit: 5).map(\.revision) == [2])
        let waitedAgain = queue.giveBack(card("a"))
        #expect(!waitedAgain)
        #expect(!queue.isTaken(card("a")))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `nothing is lost or doubled under any sequence`(_ seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var queue = SlotQueue()
        var expected: [String: SlotHint] = [:]
        var taken: Set<String> = []
        var now: Int64 = 0
        for step in 0..<300 {
            let order = "o\(Int.random(in: 0..<12, using: &numbers))"
            let dueAt = now + Int64.random(in: -5...20, using: &numbers)
            let hint = hint(order, revision: Int32(step), dueAt: dueAt)
            queue.add(hint)
            expected[order] = hint
            now += Int64.random(in: 0...4, using: &numbers)
            let due = queue.takeDue(at: now, limit: Int.random(in: 0...4, using: &numbers))
            for hint in due {
                #expect(hint.dueAt <= now)
                #expect(expected.removeValue(forKey: hint.card.order.value) == hint)
                #expect(taken.insert(hint.card.order.value).inserted, "taken twice")
            }
            #expect((queue.count, queue.takenCount) == (expected.count, taken.count))
            if Bool.random(using: &numbers), let order = taken.sorted().randomElement(using: &numbers) {
                taken.remove(order)
                let waited = queue.giveBack(card(order))
                #expect(waited == (expected[order] != nil))
            }
        }
        for order in taken { _ = queue.giveBack(card(order)) }
        #expect(queue.takeDue(at: .max, limit: 100).count == expected.count)
    }

    private func card(_ order: String) -> CardKey {
        CardKey(app: 1, order: OrderID(order), device: DeviceID("d"), incarnation: 1)
    }

    private func hint(_ order: String, revision: Int32 = 1, dueAt: Int64) -> SlotHint {
        SlotHint(
            lane: 0,
            card: card(order),
            revision: revision,
            verb: .update,
            attempt: 1,
            dueAt: dueAt
        )
    }
}
