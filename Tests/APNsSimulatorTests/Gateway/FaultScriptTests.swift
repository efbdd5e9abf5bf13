import JSONText
import Testing

@testable import APNsSimulator

@Suite struct FaultScriptTests {
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

    @Test mutating func `a reason answers the next so many matching requests`() {
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

    @Test mutating func `skip lets the first ones pass and order picks one order`() {
        var match = Fault.Match()
        match.order = "O2"
        script(.answer(Refusal(.tooManyRequests)), match, skip: 1)
        #expect(simulated.start(order: "O1").refusal == nil)
        #expect(simulated.start(order: "O2").refusal == nil)
        #expect(simulated.start(order: "O2").refusal?.reason == "TooManyRequests")
    }

    @Test mutating func `a lost answer belongs to a start that the phone shows`() {
        script(.lose)
        let reply = simulated.start()
        #expect(reply.delivery == .never)
        #expect(simulated.phone.cards.count == 1)
        #expect(simulated.world.totals.accepted[.start] == 1)
    }

    @Test mutating func `a stalled, reset or dropped request reaches nobody`() {
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

    @Test mutating func `a going away connection still answers what it has`() {
        script(.meanwhile(.goAway(reason: "Shutdown")))
        let reply = simulated.start()
        #expect(reply.connectionActions.contains(.goAway(reason: "Shutdown")))
        #expect(reply.refusal == nil)
    }

    @Test mutating func `a period ends`() {
        _ = simulated.world.faults.add { [until = simulated.now.wall + 5_000_000] in
            Fault(id: $0, effect: .answer(Refusal(.internalServerError)), match: .init(), until: until)
        }
        #expect(simulated.start().refusal?.status == 500)
        simulated.pass(seconds: 5)
        #expect(simulated.start().refusal == nil)
    }
}
