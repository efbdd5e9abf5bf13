import JSONText
import Testing

@testable import APNsSimulator

@Suite struct TokenTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
    }

    @Test func `behaviour 9: tokens have 160 digits and differ`() {
        #expect(simulated.phone.startToken.value.count == 160)
        #expect(simulated.phone.deviceToken.count == 160)
        #expect(simulated.phone.startToken.value != simulated.phone.deviceToken)
    }

    @Test mutating func `behaviour 24: a rotated token dies after its lag, in milliseconds, and its heir works`() {
        simulated.world.knobs.lags.rotated = 10_000_000
        let old = simulated.phone.startToken.value
        let rotatedAt = simulated.now.wall / 1000
        simulated.perform(.rotate)
        let body = SimulatedWorld.start(at: simulated.seconds)
        #expect(simulated.send(to: old, body).refusal == nil)
        simulated.pass(seconds: 10)
        let dead = simulated.send(to: old, body).refusal
        #expect(dead == Refusal(.expiredToken, timestampMilliseconds: rotatedAt))
        #expect(dead?.status == 410)
        #expect(simulated.start().refusal == nil)
    }

    @Test mutating func `behaviour 25: an ended card's token answers 200 for its lag, then 410`() {
        simulated.start()
        let endedAt = simulated.now.wall / 1000
        simulated.change("end")
        simulated.pass(seconds: 299)
        #expect(simulated.change("update").refusal == nil)
        #expect(simulated.lastVerdict == .cardOver)
        simulated.pass(seconds: 1)
        #expect(simulated.change("update").refusal == Refusal(.unregistered, timestampMilliseconds: endedAt))
    }

    @Test mutating func `behaviour 25: no lag and an endless lag are both possible`() {
        simulated.start()
        simulated.world.knobs.lags.dismissed = nil
        simulated.perform(.dismiss)
        simulated.pass(seconds: 1_000_000)
        simulated.token = (try? simulated.bearer()) ?? ""
        #expect(simulated.change("update").refusal == nil)
        simulated.world.knobs.lags.dismissed = 0
        #expect(simulated.change("update").refusal?.status == 410)
    }

    @Test mutating func `behaviour 27: an uninstalled app's tokens are unregistered`() {
        simulated.start()
        simulated.perform(.uninstall)
        #expect(simulated.change("update").refusal?.reason == "Unregistered")
        #expect(simulated.start().refusal?.reason == "Unregistered")
    }

    @Test mutating func `tokens of deleted phones answer 410, made-up ones 400`() {
        let token = simulated.phone.startToken.value
        simulated.world.deletePhones(at: simulated.now)
        let body = SimulatedWorld.start(at: simulated.seconds)
        #expect(simulated.send(to: token, body).refusal?.reason == "Unregistered")
        #expect(simulated.send(to: String(repeating: "ab", count: 80), body).refusal?.reason == "BadDeviceToken")
    }

    @Test mutating func `behaviour 24: any kind of token is rotated, and the word of its death is a knob`() {
        simulated.start()
        simulated.world.knobs.lags.rotatedReason = .unregistered
        for kind in [Recipient.Kind.start, .update, .device] {
            let before = [simulated.phone.startToken.value, simulated.card.updateToken, simulated.phone.deviceToken]
            simulated.perform(.rotate, World.ActionOptions(kind: kind))
            let after = [simulated.phone.startToken.value, simulated.card.updateToken, simulated.phone.deviceToken]
            let rotated = zip(before, after).filter { $0 != $1 }
            #expect(rotated.count == 1)
            #expect(simulated.world.tokens.death(of: rotated.first?.0 ?? "")?.reason == .unregistered)
        }
    }

    @Test mutating func `behaviour 25: eight hours end a card and its token, by either word`() throws {
        simulated.start()
        simulated.pass(seconds: 8 * 3600 + 299)
        simulated.token = try simulated.bearer()
        #expect(simulated.change("update").refusal == nil)
        simulated.pass(seconds: 1)
        #expect(simulated.change("update").refusal?.reason == "Unregistered")
        simulated.world.knobs.lags.endedReason = .expiredToken
        #expect(simulated.change("update").refusal?.reason == "ExpiredToken")
    }
}
