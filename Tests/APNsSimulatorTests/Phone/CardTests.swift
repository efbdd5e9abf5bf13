import Crypto
import JSONText
import Testing

@testable import APNsSimulator

@Suite struct CardTests {
    private static let hour: Int64 = 3600
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
        simulated.start()
        simulated.pass(seconds: 1)
    }

    private var state: Card.State { simulated.card.state(at: simulated.now.phone) }

    @Test mutating func `an update replaces the whole content`() {
        simulated.change("update", ["content-state": SimulatedWorld.state(phase: "courier_waiting", revision: 4)])
        #expect(simulated.card.content.phase == "courier_waiting")
        #expect(simulated.card.content.revision == 4)
        #expect(simulated.world.log[simulated.world.log.lastSequence]?.revision == 4)
    }

    @Test mutating func `an older timestamp is ignored, an equal one is applied and noted`() {
        simulated.change("update", ["timestamp": .integer(simulated.seconds - 5)])
        #expect(simulated.lastVerdict == .olderTimestamp)
        simulated.change("update")
        simulated.change("update")
        #expect(simulated.lastVerdict == .applied)
        #expect(simulated.world.totals.timestampRegressions == 2)
    }

    @Test mutating func `an end with an older timestamp is ignored too`() {
        simulated.change("end", ["timestamp": .integer(simulated.seconds - 5)])
        #expect(simulated.lastVerdict == .olderTimestamp)
        #expect(state == .active)
    }

    @Test mutating func `a timestamp more than eight hours ahead is ignored`() {
        simulated.change("update", ["timestamp": .integer(simulated.seconds + 8 * Self.hour + 1)])
        #expect(simulated.lastVerdict == .timestampTooFarAhead)
    }

    @Test mutating func `a push that does not decode leaves the old state`() {
        simulated.change("update", ["content-state": ["phase": "delivered"]])
        #expect(simulated.lastVerdict == .stateUndecodable)
        #expect(simulated.card.content.phase == "on_the_way")
        #expect(simulated.world.totals.undecodable == 1)
    }

    @Test mutating func `a card goes stale at its date and a later date makes it active again`() {
        simulated.change("update", ["stale-date": .integer(simulated.seconds + 60)])
        simulated.pass(seconds: 59)
        #expect(state == .active)
        simulated.pass(seconds: 1)
        #expect(state == .stale)
        simulated.change("update", ["stale-date": .integer(simulated.seconds + 60)])
        #expect(state == .active)
    }

    // P58
    @Test mutating func `a stale date in the past is noted against the sender`() {
        simulated.change("update", ["stale-date": .integer(simulated.seconds)])
        #expect(simulated.world.violations.counts[.pastStaleDate] == 1)
    }

    @Test mutating func `an end without a date stays four hours`() {
        simulated.change("end", ["content-state": SimulatedWorld.state(phase: "delivered", revision: 9)])
        #expect(state == .ended)
        #expect(simulated.card.content.phase == "delivered")
        simulated.pass(seconds: 4 * Self.hour - 1)
        #expect(state == .ended)
        simulated.pass(seconds: 1)
        #expect(state == .dismissed)
    }

    @Test mutating func `an end without content keeps the last state`() {
        simulated.change("end", ["content-state": nil])
        #expect(state == .ended)
        #expect(simulated.card.content.phase == "on_the_way")
    }

    @Test mutating func `a past dismissal date removes at once, a late one after four hours`() {
        simulated.start(order: "O2")
        simulated.change("end", ["dismissal-date": .integer(simulated.seconds - 1)])
        #expect(simulated.phone.cards[1].state(at: simulated.now.phone) == .dismissed)
        simulated.start(order: "O3")
        simulated.change("end", ["dismissal-date": .integer(simulated.seconds + 9 * Self.hour)])
        simulated.pass(seconds: 4 * Self.hour)
        #expect(simulated.phone.cards[2].state(at: simulated.now.phone) == .dismissed)
    }

    @Test mutating func `nothing changes an ended card, and an update to it is counted`() {
        simulated.change("end")
        simulated.pass(seconds: 1)
        simulated.change("update", ["content-state": SimulatedWorld.state(phase: "placed", revision: 1)])
        #expect(simulated.lastVerdict == .cardOver)
        #expect(simulated.card.content.phase == "on_the_way")
        #expect(simulated.world.totals.updatesAfterEnd == 1)
        simulated.pass(seconds: 1)
        simulated.change("end")
        #expect(simulated.world.totals.updatesAfterEnd == 1)
    }

    @Test mutating func `eight hours end a card, four more remove it, and the app tells once`() {
        _ = simulated.takeCalls()
        simulated.pass(seconds: 8 * Self.hour - 1)
        simulated.world.sweep(at: simulated.now)
        #expect(state == .ended)
        let calls = simulated.takeCalls()
        #expect(calls.map(\.path) == ["/v1/orders/O1/activities/\(simulated.card.activity)/reports?app=demo"])
        simulated.pass(seconds: 4 * Self.hour)
        simulated.world.sweep(at: simulated.now)
        #expect(state == .dismissed)
        #expect(simulated.takeCalls().isEmpty)
    }

    @Test mutating func `a swipe dismisses at once and only a running app tells`() {
        simulated.start(order: "O2")
        _ = simulated.takeCalls()
        simulated.perform(.dismiss, .init(activity: simulated.card.activity.description))
        #expect(state == .dismissed)
        #expect(simulated.phone.cards[1].state(at: simulated.now.phone) == .active)
        let report = simulated.takeCalls().first.flatMap { try? JSON.parse($0.body) }
        #expect(report?["state"]?.stringValue == "dismissed")
        simulated.perform(.forceQuit)
        simulated.perform(.dismiss)
        #expect(simulated.takeCalls().isEmpty)
        simulated.perform(.open)
        let paths = simulated.takeCalls().map(\.path)
        #expect(paths.count(where: { $0.contains("/reports") }) == 1)
    }

    @Test mutating func `the frequent-updates switch ends all cards`() {
        simulated.perform(.frequentOn)
        #expect(state == .dismissed)
    }
}
