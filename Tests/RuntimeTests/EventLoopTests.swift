import Runtime
import Testing

@Suite struct EventLoopTests {
    @Test func `tasks and actors run on the loop's thread and stay there`() async throws {
        try await withLoop { loop in
            #expect(loop.isOnLoop)
            await OnLoop(loop).run { loop in #expect(loop.isOnLoop) }
            #expect(loop.isOnLoop)
            try await loop.sleep(for: .milliseconds(1))
            #expect(loop.isOnLoop)
            let children = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 { group.addTask { loop.isOnLoop } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(children == [Bool](repeating: true, count: 10))
        }
    }

    @Test func `a continuation resumed elsewhere comes back to the loop`() async throws {
        try await withLoop { loop in
            for _ in 0..<100 {
                await withCheckedContinuation { continuation in
                    Task.detached { continuation.resume() }
                }
                #expect(loop.isOnLoop)
            }
        }
    }

    @Test func `work from many threads arrives once each`() async throws {
        try await withLoop { loop in
            let count = Locked(0)
            let (done, finish) = AsyncStream.makeStream(of: Void.self)
            for _ in 0..<8 {
                Task.detached {
                    for _ in 0..<1000 {
                        loop.execute {
                            let total = count.withLock {
                                $0 += 1
                                return $0
                            }
                            if total == 8000 { finish.finish() }
                        }
                    }
                }
            }
            for await _ in done {}
            #expect(count.withLock { $0 } == 8000)
        }
    }

    @Test func `tasks that keep waking each other starve neither sockets nor timers`() async throws {
        try await withLoop { loop in
            let spinning = Task(executorPreference: loop.tasks) { while !Task.isCancelled { await Task.yield() } }
            try await loop.sleep(for: .milliseconds(5))
            let listener = try Socket.listen(host: "127.0.0.1", port: 0)
            let port = Socket.localAddress(of: listener).port
            _ = try await Socket.connect(host: "127.0.0.1", port: port, within: .seconds(10), on: loop)
            spinning.cancel()
        }
    }

    @Test func `turn ends that make turn ends starve nothing`() async throws {
        final class Chain: Sendable {
            let stopped = Locked(false)
            func again(_ loop: EventLoop) {
                if !stopped.withLock({ $0 }) { loop.atTurnEnd { self.again(loop) } }
            }
        }
        try await withLoop { loop in
            let chain = Chain()
            await OnLoop(loop).run { chain.again($0) }
            try await loop.sleep(for: .milliseconds(5))
            chain.stopped.withLock { $0 = true }
        }
    }

    @Test func `a turn's end comes after the jobs that the turn brought about`() async throws {
        try await withLoop { loop in
            let (order, note) = AsyncStream.makeStream(of: String.self)
            await OnLoop(loop).run { loop in
                loop.atTurnEnd {
                    note.yield("end")
                    note.finish()
                }
                Task(executorPreference: loop.tasks) { note.yield("job") }
                note.yield("now")
            }
            #expect(await order.reduce(into: []) { $0.append($1) } == ["now", "job", "end"])
        }
    }

    @Test func `what was given before the stop still runs`() async throws {
        for _ in 0..<50 {
            let loop = try EventLoop.start(name: "test")
            let (done, finish) = AsyncStream.makeStream(of: Int.self)
            for number in 0..<10 { loop.execute { finish.yield(number) } }
            loop.stop()
            var seen: [Int] = []
            for await number in done {
                seen.append(number)
                if number == 9 { break }
            }
            #expect(seen == Array(0..<10))
        }
    }

    @Test func `a watched descriptor tells when it is readable, and no more after unwatch`() async throws {
        try await withLoop { loop in
            let listener = try Socket.listen(host: "127.0.0.1", port: 0)
            let port = Socket.localAddress(of: listener).port
            let number = listener.number
            let (events, event) = AsyncStream.makeStream(of: EventLoop.Readiness.self)
            let watch = try await OnLoop(loop).run { try $0.watch(number, for: .readable) { event.yield($0) } }
            let first = try await Socket.connect(host: "127.0.0.1", port: port, within: .seconds(5), on: loop)
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == .readable)
            await OnLoop(loop).run { $0.unwatch(watch) }
            event.finish()
            try await loop.sleep(for: .milliseconds(5))
            Socket.shutDown(first)
        }
    }

    @Test func `a writer is not kept busy by a peer that has stopped sending`() async throws {
        try await withLoop { loop in
            let listener = try Socket.listen(host: "127.0.0.1", port: 0)
            let port = Socket.localAddress(of: listener).port
            let client = try await Socket.connect(host: "127.0.0.1", port: port, within: .seconds(5), on: loop)
            Socket.shutDown(client, receiving: false)
            guard let server = try Socket.accept(listener)?.take() else {
                Issue.record("nobody is waiting")
                return
            }
            let number = server.number
            let calls = Locked(0)
            let watch = try await OnLoop(loop).run { loop in
                try loop.watch(number, for: []) { _ in calls.withLock { $0 += 1 } }
            }
            try await loop.sleep(for: .milliseconds(20))
            #expect(calls.withLock { $0 } == 0)
            await OnLoop(loop).run { $0.unwatch(watch) }
        }
    }
}
