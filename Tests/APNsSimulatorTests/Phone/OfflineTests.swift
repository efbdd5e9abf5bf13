import JSONText
import Testing

@testable import APNsSimulator

@Suite struct OfflineTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
        simulated.start()
        simulated.pass(seconds: 1)
        _ = simulated.takeCalls()
        simulated.perform(.offline)
    }

    @Test mutating func `the newest push of an app arrives when the phone is back`() {
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

    @Test mutating func `expiration is honoured, and zero is never stored`() {
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
}
