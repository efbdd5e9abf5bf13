import Testing

@testable import Postgres

struct FIFOTests {
    @Test func `elements leave in the order they came, also across clean-ups`() {
        var queue = FIFO<Int>()
        var taken: [Int] = []
        for round in 0..<500 {
            queue.append(2 * round)
            queue.append(2 * round + 1)
            if let element = queue.popFirst() { taken.append(element) }
        }
        #expect(queue.count == 500)
        #expect(queue.first == 500)
        while let element = queue.popFirst() { taken.append(element) }
        #expect(taken == Array(0..<1000))
        #expect(queue.isEmpty)
    }

    @Test func `what is taken out is not kept alive`() {
        final class Token {}
        var queue = FIFO<Token>()
        queue.append(Token())
        queue.append(Token())
        weak let first = queue.first
        #expect(first != nil)
        _ = queue.popFirst()
        #expect(first == nil)
    }

    @Test func `removing all leaves what was not taken`() {
        var queue = FIFO<Int>()
        for element in 0..<5 { queue.append(element) }
        _ = queue.popFirst()
        #expect(queue.removeAll() == [1, 2, 3, 4])
        #expect(queue.isEmpty)
    }
}
