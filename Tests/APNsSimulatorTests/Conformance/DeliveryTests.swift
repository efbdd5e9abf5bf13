import JSONText
import Testing

@testable import APNsSimulator

/// How pushes get from APNs to a phone.
@Suite struct DeliveryTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
        simulated.start()
        simulated.pass(seconds: 1)
        _ = simulated.takeCalls()
        simulated.perform(.offline)
    }

    @Test mutating func `behaviour 29: the newest push of an app arrives when the phone is back`() {
        simulated.change("update", ["content-state": SimulatedWorld.state(phase: "placed", revision: 5)])
        #expect(simulated.lastVerdict == .stored)
        let first = simulated.world.log.lastSequence
        simulated.pass(seconds: 1)
        simulated.change("update", ["content-state": SimulatedWorld.state(phase: "accepted", revision: 6)])
        #expect(simulated.world.log[first]?.verdict == .replaced)
        simulated.perform(.online)
        #expect(simulated.card.content.phase == "accepted")
        #expect(simulated.lastVerdict == .applied)
        #expect(simulated.world.totals.verdicts[.stored] == 0)
    }

    @Test mutating func `behaviour 29: expiration is honoured, and zero is never stored`() {
        let token = simulated.card.updateToken
        let update = SimulatedWorld.payload([
            "event": "update", "timestamp": .integer(simulated.seconds),
            "content-state": SimulatedWorld.state(phase: "placed"),
        ])
        simulated.send(to: token, update, headers: ["apns-expiration": "0"])
        #expect(simulated.lastVerdict == .expired)
        simulated.send(to: token, update)
        simulated.pass(seconds: 301)
        simulated.perform(.online)
        #expect(simulated.lastVerdict == .expired)
        #expect(simulated.card.content.phase == "on_the_way")
    }

    @Test mutating func `an offline app tells what it has to tell when it is back`() {
        simulated.perform(.rotate)
        #expect(simulated.takeCalls().isEmpty)
        simulated.perform(.online)
        #expect(simulated.takeCalls().map(\.method) == ["PUT", "PUT"])
    }

    @Test mutating func `behaviour 29: without an expiration APNs gives up after 30 days`() {
        let update = SimulatedWorld.payload([
            "event": "update", "timestamp": .integer(simulated.seconds), "content-state": SimulatedWorld.state(),
        ])
        for (wait, verdict) in [(30 * 86_400 - 1, Verdict.cardOver), (30 * 86_400, .expired)] {
            simulated.send(to: simulated.card.updateToken, update, headers: ["apns-expiration": nil])
            simulated.now.phone += Int64(wait) * 1_000_000
            simulated.perform(.online)
            #expect(simulated.lastVerdict == verdict)
            simulated.world.knobs.lags.ended = nil
            simulated.perform(.offline)
        }
    }

    /// What becomes of two updates and an alert that an offline phone is sent: those that arrive, in order.
    private mutating func arriving(_ slot: OfflineStorage.Slot, collapse: [String?] = [nil, nil]) -> [Int] {
        simulated.world.knobs.storage.slot = slot
        let first = simulated.world.log.nextSequence
        for (number, collapseID) in collapse.enumerated() {
            simulated.pass(seconds: 2)
            let update = SimulatedWorld.payload([
                "event": "update", "timestamp": .integer(simulated.seconds),
                "content-state": SimulatedWorld.state(revision: number),
            ])
            simulated.send(to: simulated.card.updateToken, update, headers: ["apns-collapse-id": collapseID])
        }
        let alert: [String: String?] = ["apns-topic": SimulatedWorld.bundleID, "apns-push-type": "alert"]
        simulated.send(to: simulated.phone.deviceToken, ["aps": ["alert": "Here"]], headers: alert)
        simulated.perform(.online)
        return (first...simulated.world.log.lastSequence).filter { simulated.world.log[$0]?.verdict != .replaced }
            .map { $0 - first }
    }

    @Test mutating func `behaviour 29: one push is kept for an app, a topic, a token or a collapse id, by the knob`() {
        #expect(simulated.world.knobs.storage.slot == .app)
        #expect(arriving(.app) == [2])
        for (slot, collapse, expected) in [
            (.topic, [nil, nil], [1, 2]), (.token, [nil, nil], [1, 2]), (.collapseID, [nil, nil], [0, 1, 2]),
            (.collapseID, ["a", "a"], [1, 2]), (.collapseID, ["a", "b"], [0, 1, 2]),
        ] as [(OfflineStorage.Slot, [String?], [Int])] {
            simulated.perform(.offline)
            #expect(arriving(slot, collapse: collapse) == expected)
        }
    }

    @Test mutating func `behaviour 29: of pushes close together the newest wins usually, but not always`() {
        simulated.world.knobs.rate.burst = 1000
        simulated.world.knobs.storage.newestWins = 0.9
        var wins = 0
        for _ in 0..<200 {
            simulated.change("update")
            simulated.change("update")
            let newest = simulated.world.log.lastSequence
            if simulated.world.log[newest]?.verdict == .stored { wins += 1 }
            simulated.perform(.online)
            simulated.perform(.offline)
        }
        #expect((150..<200).contains(wins))
    }

    @Test mutating func `behaviour 29: in the field the newest loses now and then, and never one second later`() throws
    {
        var field = try SimulatedWorld(preset: .field)
        field.addPhone()
        field.world.knobs.rate.burst = 1e6
        field.start()
        field.perform(.offline)
        func loses(_ field: inout SimulatedWorld, after seconds: Int64) -> Bool {
            for _ in 0..<200 {
                field.change("update")
                field.pass(seconds: seconds)
                field.change("update")
                if field.lastVerdict == .replaced { return true }
                field.pass(seconds: 2)
            }
            return false
        }
        #expect(loses(&field, after: 0))
        #expect(!loses(&field, after: 1))
    }

    @Test mutating func `behaviour 30: priority 5 waits and comes in groups, priority 10 comes at once`() {
        simulated.perform(.online)
        simulated.world.knobs.transit.opportunisticGroup = 60_000_000
        var waiting: [Int] = []
        for revision in 10..<13 {
            simulated.pass(seconds: 2)
            let update = SimulatedWorld.payload([
                "event": "update", "timestamp": .integer(simulated.seconds),
                "content-state": SimulatedWorld.state(revision: revision),
            ])
            simulated.send(to: simulated.card.updateToken, update, headers: ["apns-priority": "5"])
            waiting.append(simulated.world.log.lastSequence)
        }
        #expect(waiting.allSatisfy { simulated.world.log[$0]?.verdict == .underWay })
        simulated.change("update", ["content-state": SimulatedWorld.state(revision: 20)])
        #expect(simulated.lastVerdict == .applied)
        simulated.pass(seconds: 60)
        simulated.world.sweep(at: simulated.now)
        // The group is older than what came at once: the last of it ties, the others are old.
        let verdicts = waiting.map { simulated.world.log[$0]?.verdict }
        #expect(verdicts == [.olderTimestamp, .olderTimestamp, .applied])
    }

    @Test mutating func `behaviour 30: what is under way may be overtaken, and a seed repeats it`() throws {
        func order() throws -> [Int64] {
            var world = try SimulatedWorld()
            world.addPhone()
            world.start()
            world.world.knobs.rate.burst = 100
            world.world.knobs.transit.reordered = 0.5
            for revision in 0..<20 {
                world.now.phone += 100_000
                world.now.wall += 100_000
                world.change("update", ["content-state": SimulatedWorld.state(revision: revision)])
            }
            let sent = world.world.transit
            world.pass(seconds: 2)
            var transit = sent
            return transit.arrived(by: world.now.phone).map { Int64($0.kept.push.sequence) }
        }
        let first = try order()
        #expect(first.count > 3)
        #expect(first != first.sorted())
        #expect(try order() == first)
    }

    @Test mutating func `behaviour 28: more than a burst to one token is too many`() {
        simulated.perform(.online)
        simulated.pass(seconds: 10)
        let answers = (0..<7).map { _ in simulated.change("update").refusal?.reason }
        #expect(answers == [nil, nil, nil, nil, nil, "TooManyRequests", "TooManyRequests"])
        simulated.pass(seconds: 1)
        #expect(simulated.change("update").refusal == nil)
    }

    @Test mutating func `behaviour 31: a phone applies its own rules to what APNs has accepted`() {
        simulated.perform(.online)
        let seconds = simulated.seconds
        let pushes: [(aps: [String: JSON?], verdict: Verdict)] = [
            (["event": "start"], .wrongTokenKind), (["timestamp": .integer(seconds - 60)], .olderTimestamp),
            (["content-state": ["phase": "lost"]], .stateUndecodable), ([:], .applied),
            (["event": "end"], .applied), ([:], .cardOver),
        ]
        var ignored: [Int] = []
        for (aps, verdict) in pushes {
            simulated.pass(seconds: 2)
            #expect(simulated.change("update", aps).refusal == nil)
            #expect(simulated.lastVerdict == verdict)
            if verdict != .applied { ignored.append(simulated.world.log.lastSequence) }
        }
        #expect(simulated.phone.log.lines.map(\.request) == ignored)
    }
}
