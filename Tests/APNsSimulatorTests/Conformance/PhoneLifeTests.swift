import Crypto
import JSONText
import Testing

@testable import APNsSimulator

/// How a card ages and ends: behaviours 42 to 47 of the contract page.
@Suite struct PhoneLifeTests {
    private static let hour: Int64 = 3600
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
        simulated.start()
        simulated.pass(seconds: 1)
    }

    private var state: Card.State { simulated.card.state(at: simulated.now.phone) }

    @Test mutating func `behaviour 42: turning frequent updates on or off ends all cards, and the app tells`() throws {
        for (action, isOn) in [(World.Action.frequentOn, true), (.frequentOff, false)] {
            simulated.start(order: "O2")
            _ = simulated.takeCalls()
            simulated.perform(action)
            #expect(simulated.phone.cards.allSatisfy { $0.state(at: simulated.now.phone) == .dismissed })
            let registration = try JSON.parse(try #require(simulated.takeCalls().first).body)
            #expect(registration["frequentPushes"] == .bool(isOn))
        }
        simulated.start(order: "O3")
        simulated.perform(.frequentOff)
        #expect(simulated.phone.cards.last?.state(at: simulated.now.phone) == .active)
    }

    @Test mutating func `behaviour 43: a card goes stale at its date and a later date makes it active again`() {
        simulated.change("update", ["stale-date": .integer(simulated.seconds + 60)])
        simulated.pass(seconds: 59)
        #expect(state == .active)
        simulated.pass(seconds: 1)
        #expect(state == .stale)
        simulated.change("update", ["stale-date": .integer(simulated.seconds + 60)])
        #expect(state == .active)
    }

    @Test(arguments: [Int64.max, .min, 99_999_999_999_999])
    mutating func `behaviour 43: no date is too large`(date: Int64) {
        simulated.change("update", ["stale-date": .integer(date)])
        #expect(state == (date > 0 ? .active : .stale))
        simulated.change("end", ["dismissal-date": .integer(date)])
        #expect(state == (date > 0 ? .ended : .dismissed))
    }

    // P58
    @Test mutating func `behaviour 43: a stale date in the past is noted against the sender`() {
        simulated.change("update", ["stale-date": .integer(simulated.seconds)])
        #expect(simulated.world.violations.counts[.pastStaleDate] == 1)
    }

    @Test mutating func `behaviour 44: an end without a date stays four hours`() {
        simulated.change("end", ["content-state": SimulatedWorld.state(phase: "delivered", revision: 9)])
        #expect(state == .ended)
        #expect(simulated.card.content.phase == "delivered")
        simulated.pass(seconds: 4 * Self.hour - 1)
        #expect(state == .ended)
        simulated.pass(seconds: 1)
        #expect(state == .dismissed)
    }

    @Test mutating func `behaviour 44: an end without content keeps the last state`() {
        simulated.change("end", ["content-state": nil])
        #expect(state == .ended)
        #expect(simulated.card.content.phase == "on_the_way")
    }

    @Test mutating func `behaviour 44: a past dismissal date removes at once, a late one after four hours`() {
        simulated.start(order: "O2")
        simulated.change("end", ["dismissal-date": .integer(simulated.seconds - 1)])
        #expect(simulated.phone.cards[1].state(at: simulated.now.phone) == .dismissed)
        simulated.start(order: "O3")
        simulated.change("end", ["dismissal-date": .integer(simulated.seconds + 9 * Self.hour)])
        simulated.pass(seconds: 4 * Self.hour)
        #expect(simulated.phone.cards[2].state(at: simulated.now.phone) == .dismissed)
    }

    @Test mutating func `behaviour 44: a dismissal date within four hours is kept`() {
        simulated.change("end", ["dismissal-date": .integer(simulated.seconds + 600)])
        simulated.pass(seconds: 599)
        #expect(state == .ended)
        simulated.pass(seconds: 1)
        #expect(state == .dismissed)
    }

    @Test mutating func `behaviour 44: nothing changes an ended card, and an update to it is counted`() {
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

    @Test mutating func `behaviour 45: eight hours end a card, four more remove it, and the app tells once`() {
        _ = simulated.takeCalls()
        simulated.pass(seconds: 8 * Self.hour - 2)
        #expect(state == .active)
        simulated.pass(seconds: 1)
        simulated.world.sweep(at: simulated.now)
        #expect(state == .ended)
        let calls = simulated.takeCalls()
        #expect(calls.map(\.path) == ["/v1/orders/O1/activities/\(simulated.card.activity)/reports?app=demo"])
        simulated.pass(seconds: 4 * Self.hour)
        simulated.world.sweep(at: simulated.now)
        #expect(state == .dismissed)
        #expect(simulated.takeCalls().isEmpty)
    }

    @Test mutating func `behaviour 46: a swipe dismisses at once and only a running app tells`() {
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

    @Test mutating func `behaviour 46: APNs learns of a swipe only when the token's lag is over`() {
        simulated.perform(.dismiss)
        simulated.pass(seconds: 59)
        #expect(simulated.change("update").refusal == nil)
        #expect(simulated.lastVerdict == .cardOver)
        simulated.pass(seconds: 1)
        #expect(simulated.change("update").refusal?.status == 410)
    }

    @Test mutating func `behaviour 46: removing the app takes its cards and kills all its tokens`() {
        simulated.perform(.uninstall)
        #expect(state == .dismissed)
        for token in [simulated.phone.startToken.value, simulated.card.updateToken] {
            #expect(simulated.send(to: token, [:]).refusal?.reason == "Unregistered")
        }
    }

    @Test mutating func `behaviour 47: an answer of APNs is the same whatever the phone does`() {
        let good = simulated.change("update")
        simulated.perform(.disable)
        simulated.pass(seconds: 2)
        for aps in [[:], ["content-state": "nonsense"], ["timestamp": .integer(1)]] as [[String: JSON?]] {
            simulated.pass(seconds: 2)
            let reply = simulated.change("update", aps)
            #expect(reply.refusal == nil && good.refusal == nil)
            #expect(simulated.lastVerdict?.isApplied == false)
        }
    }
}
