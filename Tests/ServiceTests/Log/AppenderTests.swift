import JSONText
import Postgres
import PostgresStore
import Runtime
import Service
import TestSupport
import Testing
import Tracking

@Suite(.enabled(if: TestDatabase.isAvailable))
struct AppenderTests {
    @Test func `each fact is answered with its place, in the order of the call`() async throws {
        try await Installation.with { installation in
            try await installation.appending { appender, facts in
                let batch = (0..<40).map { facts.event("o\($0 % 4)", "eta.changed", at: Int64($0)) }
                let outcomes = await appender.append(batch)
                for (number, outcome) in outcomes.enumerated() {
                    guard case .appended(let place) = outcome else {
                        Issue.record("\(outcome)")
                        return
                    }
                    #expect(place.lane == Installation.lane(ofOrder: "o\(number % 4)"))
                    #expect(Int(place.version) == number / 4 + 1)
                }
                #expect(await appender.append([]) == [])
            }
            try await expectDense(installation)
        }
    }

    @Test func `what waits together commits together`() async throws {
        try await Installation.with { installation in
            var settings = Appender.Settings()
            settings.groups = 1
            let pool = PostgresPool(
                loop: TestLoop.shared,
                settings: StoreSession.appending(installation.database.url),
                size: 1
            )
            let appender = Appender(
                loop: TestLoop.shared,
                pool: pool,
                lanes: Installation.lanes,
                settings: settings,
                clock: DatabaseClock()
            )
            let facts = try await installation.directory()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let outcome = await appender.append([facts.event("o\(number)", "order.placed", at: 0)])
                        #expect(outcome.first?.position != nil)
                    }
                }
                while await appender.backlog < 50 { try await Task.sleep(for: .milliseconds(1)) }
                let running = Task(executorPreference: TestLoop.shared.tasks) { try await runAll([pool, appender]) }
                try await group.waitForAll()
                running.cancel()
                try await running.value
            }
            #expect(try await installation.count("SELECT count(*) FROM event") == 50)
            #expect(try await installation.count("SELECT count(DISTINCT xmin::text) FROM event") == 1)
        }
    }

    // P45
    @Test func `a repeat is answered with the first one's place`() async throws {
        try await Installation.with { installation in
            try await installation.appending { appender, facts in
                let fact = facts.event("o1", "order.placed", at: 0)
                let first = try #require(await appender.append([fact]).first?.position)
                #expect(await appender.append([fact, fact]) == [.duplicate(first), .duplicate(first)])
                let other = facts.event("o1", "order.placed", at: 0, data: ["displayNumber": "7"])
                #expect(await appender.append([other]) == [.reused(first)])
                let elsewhere = await appender.append([facts.event("o2", "order.placed", at: 0)])
                #expect(elsewhere.first?.position?.version == 1)
                let quarantined = try await installation.pool.run(Quarantine.open(app: Installation.app, limit: 10))
                #expect(quarantined.map(\.firstPos) == [first.pos])
            }
        }
    }

    @Test func `repeats inside one call are one fact`() async throws {
        try await Installation.with { installation in
            try await installation.appending { appender, facts in
                let fact = facts.event("o1", "order.placed", at: 0)
                let outcomes = await appender.append([fact, fact, fact])
                let place = try #require(outcomes[0].position)
                #expect(outcomes == [.appended(place), .duplicate(place), .duplicate(place)])
                #expect(try await installation.count("SELECT count(*) FROM event") == 1)
            }
        }
    }

    @Test func `whoever insists on a version that is past is told the present one`() async throws {
        try await Installation.with { installation in
            try await installation.appending { appender, facts in
                _ = await appender.append([facts.event("o1", "order.placed", at: 0)])
                let outcomes = await appender.append([
                    facts.event("o1", "order.accepted", at: 1, expectedVersion: 0),
                    facts.event("o1", "order.accepted", at: 2, expectedVersion: 1),
                    facts.event("o1", "order.accepted", at: 3, expectedVersion: 1),
                ])
                #expect(outcomes[0] == .conflict(version: 1))
                #expect(outcomes[1].position?.version == 2)
                #expect(outcomes[2] == .conflict(version: 2))
            }
        }
    }

    // E59: one lane that somebody holds.
    @Test func `a lane that is held answers busy while its neighbours go on`() async throws {
        try await Installation.with { installation in
            var settings = Appender.Settings()
            settings.groups = 2
            try await installation.appending(settings) { appender, facts in
                let held = Installation.orders(of: 2, 1)[0]
                let neighbour = Installation.orders(of: 4, 1)[0]
                try await installation.holding(lane: 2) {
                    let outcomes = await appender.append([
                        facts.event(held, "order.placed", at: 0), facts.event(neighbour, "order.placed", at: 0),
                    ])
                    #expect(outcomes[0] == .failed(.busy))
                    #expect(outcomes[1].position?.version == 1)
                }
                let again = await appender.append([facts.event(held, "order.placed", at: 0)])
                #expect(again.first?.position?.version == 1)
            }
        }
    }

    // E11
    @Test func `a database that is away costs nothing but time`() async throws {
        try await Installation.with { installation in
            try await installation.appending(patience: .milliseconds(500)) { appender, facts in
                let fact = facts.event("o1", "order.placed", at: 0)
                try await installation.away {
                    #expect(await appender.append([fact]) == [.failed(.databaseUnavailable)])
                    #expect(await appender.append([fact]) == [.failed(.databaseUnavailable)])
                }
                var outcome = await appender.append([fact])
                while case .failed(.databaseUnavailable) = outcome[0] { outcome = await appender.append([fact]) }
                #expect(outcome[0].position?.version == 1)
            }
        }
    }

    @Test func `a full disk keeps facts out, is told, and heals`() async throws {
        try await Installation.with { installation in
            try await installation.script(
                """
                CREATE FUNCTION doorstep.full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  RAISE EXCEPTION 'no space' USING ERRCODE = 'disk_full'; END $$;
                CREATE TRIGGER full_disk BEFORE INSERT ON doorstep.event FOR EACH ROW EXECUTE FUNCTION doorstep.full();
                """
            )
            try await installation.appending { appender, facts in
                let fact = facts.event("o1", "order.placed", at: 0)
                #expect(await !appender.failsToCommit)
                #expect(await appender.append([fact]) == [.failed(.databaseUnavailable)])
                #expect(await appender.failsToCommit)
                try await installation.script("DROP TRIGGER full_disk ON doorstep.event")
                #expect(await appender.append([fact]).first?.position?.version == 1)
                #expect(await !appender.failsToCommit)
            }
        }
    }

    @Test func `callers are turned away when too much waits`() async throws {
        try await Installation.with { installation in
            var settings = Appender.Settings()
            settings.queueLimit = 3
            try await installation.appending(settings) { appender, facts in
                let four = (0..<4).map { facts.event("o\($0)", "order.placed", at: 0) }
                #expect(await appender.append(four) == Array(repeating: .failed(.overloaded), count: 4))
                #expect(await appender.append(Array(four.prefix(3))).compactMap(\.position).count == 3)
            }
        }
    }

    // E19
    @Test func `a position that somebody took is drawn again`() async throws {
        try await Installation.with { installation in
            // The first three attempts meet another writer.
            try await installation.script(
                """
                CREATE SEQUENCE doorstep.attempts;
                CREATE FUNCTION doorstep.taken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF nextval('doorstep.attempts') <= 3 THEN RAISE unique_violation; END IF; RETURN NULL; END $$;
                CREATE TRIGGER taken AFTER INSERT ON doorstep.event FOR EACH STATEMENT EXECUTE FUNCTION doorstep.taken();
                """
            )
            try await installation.appending { appender, facts in
                let outcome = await appender.append([facts.event("o1", "order.placed", at: 0)])
                #expect(outcome.first?.position?.version == 1)
            }
            try await expectDense(installation)
        }
    }

    @Test func `a fact the database refuses fails alone`() async throws {
        try await Installation.with { installation in
            try await installation.script(
                """
                CREATE FUNCTION doorstep.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.source_event_id = 'cursed' THEN RAISE data_exception; END IF; RETURN NEW; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON doorstep.event FOR EACH ROW EXECUTE FUNCTION doorstep.refuse();
                """
            )
            try await installation.appending { appender, facts in
                var batch = (0..<9).map { facts.event("o\($0 % 3)", "eta.changed", at: Int64($0)) }
                batch.insert(facts.event("o1", "eta.changed", at: 99, id: "cursed"), at: 4)
                let outcomes = await appender.append(batch)
                #expect(outcomes[4] == .failed(.unstorable))
                #expect(outcomes.compactMap(\.position).count == 9)
            }
            try await expectDense(installation)
        }
    }

    // E02
    @Test func `two processes write one lane without a hole`() async throws {
        try await Installation.with { installation in
            try await installation.appending { one, facts in
                try await installation.appending { other, _ in
                    await withDiscardingTaskGroup { group in
                        for number in 0..<60 {
                            let appender = number.isMultiple(of: 2) ? one : other
                            group.addTask {
                                let fact = facts.event("o1", "eta.changed", at: Int64(number / 3))
                                var outcome = await appender.append([fact])[0]
                                while case .failed = outcome { outcome = await appender.append([fact])[0] }
                            }
                        }
                    }
                }
            }
            #expect(try await installation.count("SELECT count(*) FROM event") == 20)
            try await expectDense(installation)
        }
    }

    @Test func `listeners hear of committed facts only, in order, as they stand in the log`() async throws {
        try await Installation.with { installation in
            let heard = Locked<[Int32: [LoggedFact]]>([:])
            try await installation.appending { appender, facts in
                await appender.listen { lane, facts in heard.withLock { $0[lane, default: []] += facts } }
                for round in 0..<5 {
                    let batch = (0..<12).map { facts.event("o\($0)", "eta.changed", at: Int64(round)) }
                    _ = await appender.append(batch)
                    _ = await appender.append(batch)
                }
            }
            for lane in 0..<Int32(Installation.lanes) {
                let log = try await installation.log(of: lane)
                let facts = heard.withLock { $0[lane] ?? [] }
                #expect(facts.map(\.pos) == log.map(\.pos))
                #expect(facts.map(\.version) == log.map(\.version))
                #expect(facts.map(\.recordedAt) == log.map(\.recordedAt))
                #expect(facts.map(\.body) == log.map { $0.body ?? [] })
            }
        }
    }

    @Test func `what was taken in before the end is committed`() async throws {
        try await Installation.with { installation in
            let answers = try await installation.appending { appender, facts in
                Task { await appender.append((0..<200).map { facts.event("o\($0)", "order.placed", at: 0) }) }
            }
            let kept = await answers.value.compactMap(\.position).count
            #expect(try await installation.count("SELECT count(*) FROM event") == Int64(kept))
        }
    }

    /// Positions of a lane and versions of a stream have no holes.
    private func expectDense(_ installation: Installation) async throws {
        for lane in 0..<Int32(Installation.lanes) {
            let log = try await installation.log(of: lane)
            #expect(log.map(\.pos) == (0..<log.count).map { Int64($0) + 1 })
            for (_, facts) in Dictionary(grouping: log, by: \.stream) {
                #expect(facts.map(\.version) == (0..<facts.count).map { Int32($0) + 1 })
            }
        }
    }
}
