import Testing

@testable import Runtime

@Suite struct TimerTests {
    @Test func `timers all fire, and not early`() async throws {
        try await withLoop { loop in
            let delays = [30, 10, 20, 0, 25]
            let begin = MonotonicTime.now
            let (fired, fire) = AsyncStream.makeStream(of: Bool.self)
            await OnLoop(loop).run { loop in
                for delay in delays.map(Duration.milliseconds) {
                    loop.schedule(after: delay) { fire.yield(MonotonicTime.now - begin >= delay) }
                }
            }
            #expect(await fired.prefix(delays.count).allSatisfy { $0 })
        }
    }

    @Test func `a cancelled timer does not fire, not even one due in the same moment`() async throws {
        try await withLoop { loop in
            let fired = Locked<[String]>([])
            await OnLoop(loop).run { loop in
                // Both are due by the time the loop looks at its timers.
                let later = Locked<EventLoop.TimerID?>(nil)
                loop.schedule(after: .zero) {
                    fired.withLock { $0.append("first") }
                    if let id = later.withLock({ $0 }) { loop.cancel(id) }
                }
                let id = loop.schedule(after: .zero) { fired.withLock { $0.append("second") } }
                later.withLock { $0 = id }
            }
            try await loop.sleep(for: .milliseconds(10))
            #expect(fired.withLock { $0 } == ["first"])
        }
    }

    @Test func `a cancelled sleep ends at once, before or after it began`() async throws {
        try await withLoop { loop in
            for begun in [false, true] {
                let sleeping = Task(executorPreference: loop.tasks) { try await loop.sleep(for: .seconds(600)) }
                if begun { try await loop.sleep(for: .milliseconds(2)) }
                sleeping.cancel()
                await #expect(throws: CancellationError.self) { try await sleeping.value }
            }
        }
    }

    @Test func `a sleep may be cancelled from another thread while it begins or ends`() async throws {
        try await withLoop { loop in
            for round in 0..<300 {
                let sleeping = Task(executorPreference: loop.tasks) {
                    try await loop.sleep(for: .microseconds(round % 3 * 100))
                }
                await Task.detached { sleeping.cancel() }.value
                _ = await sleeping.result
            }
        }
    }

    @Test func `the heap gives every timer once, in order, whatever is cancelled`() {
        var generator = SplitMix64(seed: 42)
        for _ in 0..<50 {
            var heap = TimerHeap()
            var wanted: [UInt64: Int64] = [:]
            for id in 1...UInt64(500) {
                let deadline = Int64.random(in: 0..<1000, using: &generator)
                heap.insert(id: id, at: MonotonicTime(nanoseconds: deadline)) {}
                wanted[id] = deadline
                if Bool.random(using: &generator), let victim = wanted.keys.randomElement(using: &generator) {
                    heap.remove(id: victim)
                    wanted[victim] = nil
                }
                #expect(heap.next?.nanoseconds == wanted.values.min())
            }
            var fired = 0
            for now in stride(from: Int64(0), through: 1000, by: 50) {
                while heap.popDue(at: MonotonicTime(nanoseconds: now)) != nil { fired += 1 }
                #expect(fired == wanted.values.count { $0 <= now })
            }
            #expect(heap.next == nil)
        }
    }

    @Test func `cancelled timers do not pile up`() {
        var heap = TimerHeap()
        for id in 1...UInt64(100_000) {
            heap.insert(id: id, at: MonotonicTime(nanoseconds: Int64(id))) {}
            if id > 10 { heap.remove(id: id) }
        }
        #expect(heap.entryCount < 200)
    }
}
