import JSONText
import Runtime
import Testing

@testable import APNsSimulator

@Suite struct FaultTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
    }

    private mutating func script(_ effect: Fault.Effect, _ match: Fault.Match = .init(), times: Int? = 1, skip: Int = 0)
    {
        _ = simulated.world.faults.add {
            Fault(id: $0, effect: effect, match: match, skip: skip, times: times)
        }
    }

    @Test mutating func `behaviour 51: a reason answers the next so many matching requests`() {
        var match = Fault.Match()
        match.event = .update
        script(.answer(Refusal(.serviceUnavailable)), match, times: 2)
        #expect(simulated.start().refusal == nil)
        simulated.pass(seconds: 1)
        #expect(simulated.change("update").refusal?.status == 503)
        #expect(simulated.change("update").refusal?.status == 503)
        #expect(simulated.change("update").refusal == nil)
        #expect(simulated.world.faults.faults.first?.applied == 2)
        #expect(simulated.world.violations.total == 0)
    }

    @Test func `behaviour 51: with the same seed the same requests meet a fault`() throws {
        func struck(seed: UInt64) throws -> [Bool] {
            var simulated = try SimulatedWorld()
            simulated.addPhone()
            _ = simulated.world.faults.add {
                Fault(
                    id: $0,
                    effect: .answer(Refusal(.serviceUnavailable)),
                    match: .init(),
                    probability: 0.5,
                    chances: SplitMix64(seed: seed)
                )
            }
            return (0..<40).map { simulated.start(order: "O\($0)").refusal != nil }
        }
        #expect(try struck(seed: 7) == struck(seed: 7))
        #expect(try struck(seed: 7) != struck(seed: 8))
    }

    @Test mutating func `behaviour 51: skip lets the first ones pass and order picks one order`() {
        var match = Fault.Match()
        match.order = "O2"
        script(.answer(Refusal(.tooManyRequests)), match, skip: 1)
        #expect(simulated.start(order: "O1").refusal == nil)
        #expect(simulated.start(order: "O2").refusal == nil)
        #expect(simulated.start(order: "O2").refusal?.reason == "TooManyRequests")
    }

    @Test mutating func `behaviour 52: a lost answer belongs to a start that the phone shows`() {
        script(.lose)
        let reply = simulated.start()
        #expect(reply.delivery == .never)
        #expect(simulated.phone.cards.count == 1)
        #expect(simulated.world.totals.accepted[.start] == 1)
    }

    @Test mutating func `behaviour 5: a stalled, reset or dropped request reaches nobody`() {
        for (effect, delivery) in [
            (Fault.Effect.stall, PushReply.Delivery.never), (.reset(.refusedStream), .reset(.refusedStream)),
            (.drop, .drop),
        ] {
            script(effect)
            #expect(simulated.start().delivery == delivery)
        }
        #expect(simulated.phone.cards.isEmpty)
        #expect(simulated.world.totals.accepted.isEmpty)
    }

    @Test mutating func `behaviour 52: a going away connection still answers what it has`() {
        script(.meanwhile(.goAway(reason: "Shutdown")))
        let reply = simulated.start()
        #expect(reply.connectionActions.contains(.goAway(reason: "Shutdown")))
        #expect(reply.refusal == nil)
    }

    @Test mutating func `behaviour 52: a period ends`() {
        _ = simulated.world.faults.add { [until = simulated.now.wall + 5_000_000] in
            Fault(id: $0, effect: .answer(Refusal(.internalServerError)), match: .init(), until: until)
        }
        #expect(simulated.start().refusal?.status == 500)
        simulated.pass(seconds: 5)
        #expect(simulated.start().refusal == nil)
    }

    @Test(arguments: Reason.allCases)
    mutating func `behaviour 51: every reason can be scripted, with its status`(reason: Reason) {
        script(.answer(Refusal(reason)))
        #expect(simulated.start().refusal == Refusal(status: reason.status, reason: reason.rawValue))
        #expect(simulated.start().refusal == nil)
    }

    @Test mutating func `behaviour 51: by token, topic, event, connection, and all at once`() {
        let token = simulated.phone.startToken.value
        let matches: [(Fault.Match, Bool)] = [
            (Fault.Match(token: token), true), (Fault.Match(token: "ab"), false),
            (Fault.Match(topic: SimulatedWorld.topic), true), (Fault.Match(topic: SimulatedWorld.bundleID), false),
            (Fault.Match(event: .start), true), (Fault.Match(event: .end), false),
            (Fault.Match(connection: 1), true), (Fault.Match(connection: 2), false),
            (Fault.Match(phone: "P1", order: "O1", environment: .sandbox, priority: 10), true),
            (Fault.Match(phone: "P1", priority: 5), false),
        ]
        for (match, strikes) in matches {
            simulated.world.faults.removeAll()
            script(.answer(Refusal(.shutdown)), match)
            #expect((simulated.start().refusal != nil) == strikes)
            simulated.pass(seconds: 2)
        }
    }

    @Test mutating func `behaviour 53: APNs judges by its own clock`() {
        simulated.world.skew = 3_601_000_000
        #expect(simulated.start().refusal?.reason == "ExpiredProviderToken")
        simulated.world.skew = -3_601_000_000
        #expect(simulated.start().refusal?.reason == "InvalidProviderToken")
        simulated.world.skew = 1_800_000_000
        let reply = simulated.start()
        #expect(reply.refusal == nil)
        #expect(reply.date == simulated.seconds + 1800)
        simulated.perform(.uninstall)
        let died = simulated.start().refusal?.timestampMilliseconds
        #expect(died == (simulated.seconds + 1800) * 1000)
    }
}
