import Testing

@testable import Runtime

@Suite struct FIFOTests {
    @Test func `what goes in first comes out first, however the calls are mixed`() {
        var generator = SplitMix64(seed: 3)
        var queue = FIFO<Int>()
        var model: [Int] = []
        for number in 0..<10_000 {
            if Int.random(in: 0..<20, using: &generator) < 11 {
                queue.append(number)
                model.append(number)
            } else {
                #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(queue.count == model.count)
            #expect(queue.first == model.first)
            #expect(queue.isEmpty == model.isEmpty)
        }
    }
}
