import Crypto
import Postgres
import PostgresStore
import Runtime
import TestSupport
import Testing
import Tracking

@testable import Service

@Suite(.enabled(if: TestDatabase.isAvailable))
struct WorkerTests {
    private let story = [
        ("order.placed", 0), ("order.accepted", 2), ("order.on_the_way", 5), ("courier.waiting", 8),
        ("order.delivered", 9),
    ]

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `events in any order fold to one order`(_ seed: UInt64) async throws {
        var numbers = SplitMix64(seed: seed)
        let shuffled = story.shuffled(using: &numbers)
        try await Installation.with { installation in
            try await Node.with(installation, gateway: ScriptedGateway()) { node in
                for (type, time) in shuffled {
                    _ = await node.appender.append([node.directory.event("o1", type, at: Int64(time))])
                }
                try await node.settle(["o1"])
                let order = try #require(try await node.snapshot("o1")).stream.order
                let facts = try await node.orders.facts(app: Installation.app, OrderID("o1"))
                let folded = try node.orders.fold(app: Installation.app, facts)
                #expect(order.phase == .delivered)
                #expect(order.revision == story.count)
                #expect(folded.map(\.fact.type.word) == story.map(\.0))
                #expect(folded.map(\.effect) == Array(repeating: .changed, count: story.count))
            }
        }
    }

    // E25
    @Test func `what others write is read without a hint`() async throws {
        try await Installation.with { installation in
            try await Node.with(installation, gateway: ScriptedGateway()) { node in
                try await installation.appending { elsewhere, facts in
                    for (type, time) in story {
                        _ = await elsewhere.append([facts.event("o1", type, at: Int64(time))])
                        _ = await node.appender.append([facts.event("o1", "eta.changed", at: Int64(time))])
                    }
                }
                try await node.eventually("folded") { try await node.snapshot("o1")?.settledVersion == 10 }
                #expect(try await node.snapshot("o1")?.stream.order.phase == .delivered)
                #expect(node.troubles.all.isEmpty)
            }
        }
    }

    // E54
    @Test func `a stream that cannot be folded rests while its lane goes on`() async throws {
        let (bad, good) = (Installation.orders(of: 3, 2)[0], Installation.orders(of: 3, 2)[1])
        try await Installation.with { installation in
            let gateway = ScriptedGateway()
            try await Node.with(installation, gateway: gateway) { node in
                let facts = node.directory
                _ = await node.appender.append([
                    facts.event(bad, "order.placed", at: 0),
                    facts.fact(bad, FactType.startGranted, .relay, id: "1", body: #"{"device":"d"}"#),
                    facts.event(bad, "order.accepted", at: 1), facts.event(good, "order.accepted", at: 1),
                ])
                try await node.settle([good])
                try await node.eventually("parked") {
                    try await installation.pool.run(Counters.parkedStreams) == 1
                }
                let parked = try #require(try await installation.pool.run(ParkedStreams.of(lane: 3)).first)
                #expect(parked.stream == bad)
                #expect(parked.fromVersion == 2)
                #expect(parked.reason == FactError.Code.missingMember.rawValue)
                #expect(parked.detail == "incarnation")
                #expect(try await node.snapshot(bad)?.stream.order.phase == .placed)
                #expect(try await node.snapshot(good)?.stream.order.phase == .accepted)
            }
            // The next owner lets it rest too.
            try await Node.with(installation, gateway: gateway) { node in
                _ = await node.appender.append([
                    node.directory.event(bad, "order.delivered", at: 9),
                    node.directory.event(good, "order.delivered", at: 9),
                ])
                try await node.settle([good])
                #expect(try await node.snapshot(good)?.stream.order.phase == .delivered)
                #expect(try await node.snapshot(bad)?.stream.order.phase == .placed)
                #expect(node.troubles.all.isEmpty)
            }
        }
    }

    // E30
    @Test func `an earlier owner's write fails as a whole`() async throws {
        let order = Installation.orders(of: 1, 1)[0]
        try await Installation.with { installation in
            try await installation.appending { appender, facts in
                _ = await appender.append([facts.event(order, "order.placed", at: 0)])
            }
            func take(at time: Int64) async throws -> Int64 {
                let leases = Leases.take(lanes: [1], owner: .random(), now: time, span: 1_000_000)
                return try #require(try await installation.pool.run(leases).first?.term)
            }
            let earlier = try await take(at: WallClock.microseconds)
            let later = try await take(at: WallClock.microseconds + 2_000_000)
            let directory = try await installation.directory()
            let projector = Projector(
                pool: installation.pool,
                directory: directory,
                sources: SourceRegistry(pool: installation.pool, directory: directory),
                lanes: Installation.lanes
            )
            func step(_ term: Int64) async throws -> Projector.Step {
                try await projector.step(
                    LaneMemory(lane: 1, term: term, checkpoint: 0),
                    offered: [],
                    delivered: [],
                    limit: 10
                )
            }
            await #expect { try await step(earlier) } throws: { ($0 as? PostgresError)?.isLaneLost == true }
            #expect(try await installation.count("SELECT count(*) FROM order_state") == 0)
            #expect(try await step(later).memory.checkpoint == 1)
            #expect(try await installation.count("SELECT count(*) FROM order_state") == 1)
            await #expect { try await step(later) } throws: { ($0 as? PostgresError)?.isLaneLost == true }
        }
    }

    @Test func `a lane that is taken away and comes back loses nothing`() async throws {
        try await Installation.with { installation in
            try await Node.with(installation, gateway: ScriptedGateway()) { node in
                _ = await node.appender.append([node.directory.event("o1", "order.placed", at: 0)])
                try await node.settle(["o1"])
                let thief = UUID128.random()
                let lanes = (0..<Int32(Installation.lanes)).map(\.self)
                let later = node.clock.now + 60_000_000
                let stolen = Leases.take(lanes: lanes, owner: thief, now: later, span: 1_000_000_000)
                #expect(try await installation.pool.run(stolen).allSatisfy { $0.term != nil })
                let batch = story.dropFirst().map { node.directory.event("o1", $0.0, at: Int64($0.1)) }
                #expect(await node.appender.append(batch).compactMap(\.position).count == batch.count)
                try await node.eventually("dropped") { await node.pipeline.worker.held.isEmpty }
                #expect(try await node.snapshot("o1")?.stream.order.phase == .placed)

                let freed = Leases.release(lanes: lanes, owner: thief, now: node.clock.now)
                #expect(try await installation.pool.run(freed) == lanes.count)
                try await node.eventually("folded") {
                    try await node.snapshot("o1")?.stream.order.phase == .delivered
                }
                try await node.settle(["o1"])
            }
        }
    }

    @Test func `nothing may be sent for a lane that catches up`() async throws {
        let order = Installation.orders(of: 1, 1)[0]
        try await Installation.with { installation in
            let clock = DatabaseClock(now: WallClock.microseconds - 60_000_000)
            try await installation.appending(clock: clock) { appender, facts in
                for time in 0..<3 as Range<Int64> {
                    _ = await appender.append([facts.event(order, "eta.changed", at: time)])
                }
            }
            let term = try #require(
                try await installation.pool.run(
                    Leases.take(lanes: [1], owner: .random(), now: WallClock.microseconds, span: 60_000_000)
                ).first?.term
            )
            let directory = try await installation.directory()
            var settings = Worker.Settings()
            settings.batch = 1
            let terms = Locked<[Int64?]>([])
            let seat = Locked<Worker?>(nil)
            let worker = Worker(
                loop: TestLoop.shared,
                projector: Projector(
                    pool: installation.pool,
                    directory: directory,
                    sources: SourceRegistry(pool: installation.pool, directory: directory),
                    lanes: Installation.lanes
                ),
                clock: DatabaseClock(),
                settings: settings,
                listeners: WorkListeners(
                    slots: { _ in },
                    relays: { _, _ in },
                    timers: { _ in },
                    folded: { _ in
                        guard let worker = seat.withLock({ $0 }) else { return }
                        let term = worker.assumeIsolated { $0.sendingTerm(1, now: WallClock.microseconds) }
                        terms.withLock { $0.append(term) }
                    },
                    failed: { operation, error in Issue.record("\(operation): \(error)") }
                )
            )
            seat.withLock { $0 = worker }
            await worker.take(1, term: term, checkpoint: 0, parked: [])
            #expect(await worker.sendingTerm(1, now: WallClock.microseconds) == nil)
            let running = Task(executorPreference: TestLoop.shared.tasks) { try await worker.run() }
            while await worker.sendingTerm(1, now: WallClock.microseconds) == nil {
                try await Task.sleep(for: .milliseconds(5))
            }
            running.cancel()
            try await running.value
            seat.withLock { $0 = nil }
            #expect(terms.withLock { $0 } == [nil, nil, nil])
            #expect(await worker.sendingTerm(1, now: WallClock.microseconds) == term)
        }
    }
}
