import JSONText
import Testing

@testable import APNsSimulator

@Suite struct StartTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
    }

    @Test mutating func `a start shows a card and its app uploads the update token`() {
        _ = simulated.takeCalls()
        simulated.start()
        #expect(simulated.lastVerdict == .applied)
        #expect(simulated.card.order == "O1")
        #expect(simulated.card.incarnation == 1)
        #expect(simulated.card.content.phase == "on_the_way")
        #expect(simulated.card.state(at: simulated.now.phone) == .active)
        let calls = simulated.takeCalls()
        #expect(calls.map(\.method) == ["PUT"])
        #expect(calls.first?.path == "/v1/orders/O1/activities/\(simulated.card.activity)?app=demo")
        let body = calls.first.flatMap { try? JSON.parse($0.body) }
        #expect(body?["updateToken"]?.stringValue == simulated.card.updateToken)
        #expect(body?["incarnation"]?.int64Value == 1)
    }

    @Test(
        arguments: [
            (["alert": nil], .alertMissing),
            (["alert": ["title": "", "body": ""]], .applied),
            (["attributes-type": "doorstepAttributes"], .unknownAttributesType),
            (["attributes": ["order": "O1"]], .attributesUndecodable),
            (["attributes": nil], .attributesUndecodable),
            (["content-state": nil], .stateUndecodable),
            (["content-state": ["phase": "on_the_way"]], .stateUndecodable),
            (["content-state": SimulatedWorld.state(phase: "flying")], .stateUndecodable),
            (["input-push-channel": "abc="], .channelUnsupported),
            (["event": "update"], .wrongTokenKind),
            (["event": "begin"], .malformed),
            (["timestamp": nil], .malformed),
            (["timestamp": "1800000000"], .malformed),
        ] as [([String: JSON?], Verdict)]
    )
    mutating func `a phone starts only what it can`(aps: [String: JSON?], verdict: Verdict) {
        #expect(simulated.start(aps).refusal == nil)
        #expect(simulated.lastVerdict == verdict)
        #expect(simulated.phone.cards.count == (verdict == .applied ? 1 : 0))
    }

    @Test mutating func `two starts make two cards, counted as duplicates`() {
        simulated.start()
        simulated.start()
        #expect(simulated.phone.cards.count == 2)
        #expect(simulated.world.totals.duplicateCards == 1)
        #expect(simulated.world.totals.pairs == 1)
    }

    @Test mutating func `a second incarnation is no duplicate`() {
        simulated.start()
        simulated.start(["attributes": SimulatedWorld.attributes(incarnation: 2)])
        #expect(simulated.world.totals.duplicateCards == 0)
    }

    @Test mutating func `attributes and content together may not exceed 4096 bytes`() {
        func long(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }
        simulated.start(["attributes": ["order": "O1", "incarnation": 1, "restaurant": long(2000)]])
        #expect(simulated.lastVerdict == .applied)
        var state = SimulatedWorld.state().objectValue ?? [:]
        state["courier"] = long(2000)
        simulated.change("update", ["content-state": .object(state)])
        #expect(simulated.lastVerdict == .tooLarge)
        #expect(simulated.world.totals.oversizedPayloads == 1)
    }

    @Test mutating func `with the switch off nothing starts and the app says so`() {
        simulated.perform(.disable)
        simulated.start()
        #expect(simulated.lastVerdict == .activitiesDisabled)
        let body = simulated.takeCalls().last.flatMap { try? JSON.parse($0.body) }
        #expect(body?["activitiesEnabled"]?.boolValue == false)
    }

    @Test mutating func `an update token starts nothing`() {
        simulated.start()
        simulated.change("start", ["alert": ["title": "x", "body": "y"]])
        #expect(simulated.lastVerdict == .wrongTokenKind)
        #expect(simulated.world.violations.counts[.wrongTokenKind] == 1)
    }

    @Test mutating func `an ignored prompt keeps the first state and gives no token`() {
        let phone = simulated.addPhone("P2", prompt: .ignored)
        _ = simulated.takeCalls()
        simulated.start(on: phone)
        #expect(simulated.takeCalls().isEmpty)
        simulated.change("end", on: phone)
        #expect(simulated.lastVerdict == .promptIgnored)
        #expect(simulated.world.phones[phone].cards[0].state(at: simulated.now.phone) == .active)
    }

    @Test mutating func `a silently dead start token answers 200 and starts nothing`() {
        simulated.perform(.killStartToken)
        #expect(simulated.start().refusal == nil)
        #expect(simulated.lastVerdict == .silentlyDead)
        simulated.perform(.rotate)
        simulated.start()
        #expect(simulated.lastVerdict == .applied)
    }

    // P55
    @Test mutating func `in the field the eleventh start in a short time is dropped`() {
        let phone = simulated.addPhone("P2", preset: .field)
        for number in 0..<11 {
            simulated.start(on: phone, order: "O\(number)")
            let token = simulated.world.phones[phone].cards.last?.updateToken
            #expect(token != nil)
            simulated.change("end", ["dismissal-date": .integer(simulated.seconds - 1)], on: phone)
            simulated.pass(seconds: 2)
        }
        #expect(simulated.world.phones[phone].cards.count == 10)
        #expect(simulated.world.totals.verdicts[.startBudgetExceeded] == 1)
    }

    @Test mutating func `in the field about half of the terminated apps hand over their token`() {
        let phones = (0..<200).map { simulated.addPhone("F\($0)", preset: .field) }
        _ = simulated.takeCalls()
        for phone in phones { simulated.start(on: phone) }
        let calls = simulated.takeCalls().count
        #expect((70...130).contains(calls))
    }

    @Test mutating func `opening the app uploads the tokens it had missed`() {
        simulated.perform(.forceQuit)
        simulated.world.phones[0].cards = []
        let phone = simulated.addPhone("P2", preset: .field)
        simulated.perform(.forceQuit, on: phone)
        for number in 0..<4 { simulated.start(on: phone, order: "O\(number)") }
        _ = simulated.takeCalls()
        simulated.perform(.open, on: phone)
        let paths = simulated.takeCalls().map(\.path)
        #expect(paths.count(where: { $0.contains("/activities/") }) == 4)
        #expect(paths.first == "/v1/devices/P2?app=demo")
        #expect(paths.last == "/v1/devices/P2/running?app=demo")
    }
}
