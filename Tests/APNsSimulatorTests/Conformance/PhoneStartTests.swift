import Crypto
import JSONText
import Testing

@testable import APNsSimulator

/// Starting a card by push: behaviours 32 to 37 of the contract page.
@Suite struct PhoneStartTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
    }

    @Test mutating func `behaviour 32: a start shows a card and its app uploads the update token`() {
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

    @Test mutating func `behaviour 32: an event that does not go with its token is ignored, with a line in the log`() {
        simulated.start()
        simulated.change("start", ["alert": ["title": "x", "body": "y"]])
        #expect(simulated.lastVerdict == .wrongTokenKind)
        #expect(simulated.world.violations.counts[.wrongTokenKind] == 1)
        for event in ["update", "end"] {
            simulated.start(["event": .string(event)])
            #expect(simulated.lastVerdict == .wrongTokenKind)
        }
        #expect(simulated.phone.cards.count == 1)
        #expect(simulated.phone.log.lines.count == 3)
        #expect(simulated.phone.log.lines.last?.text == Verdict.wrongTokenKind.meaning)
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
            (["event": "begin"], .malformed),
            (["timestamp": nil], .malformed),
            (["timestamp": "1800000000"], .malformed),
        ] as [([String: JSON?], Verdict)]
    )
    mutating func `behaviour 33: a phone starts only what it can`(aps: [String: JSON?], verdict: Verdict) {
        #expect(simulated.start(aps).refusal == nil)
        #expect(simulated.lastVerdict == verdict)
        #expect(simulated.phone.cards.count == (verdict == .applied ? 1 : 0))
        #expect(simulated.phone.log.lines.count == (verdict == .applied ? 0 : 1))
    }

    @Test mutating func `behaviour 33: with the switch off nothing starts and the app says so`() {
        simulated.perform(.disable)
        simulated.start()
        #expect(simulated.lastVerdict == .activitiesDisabled)
        let body = simulated.takeCalls().last.flatMap { try? JSON.parse($0.body) }
        #expect(body?["activitiesEnabled"]?.boolValue == false)
    }

    @Test mutating func `behaviour 33: no more cards than the phone holds, until one is over`() {
        simulated.world.knobs.phones.maximumCards = 2
        for number in 1...3 { simulated.start(order: "O\(number)") }
        #expect(simulated.lastVerdict == .tooManyActivities)
        simulated.change("end")
        simulated.pass(seconds: 2)
        simulated.start(order: "O3")
        #expect(simulated.lastVerdict == .applied)
    }

    // P55
    @Test(arguments: [false, true])
    mutating func `behaviour 33: the eleventh start in a while is dropped, frequent updates or not`(isFrequent: Bool) {
        simulated.world.knobs.phones.startBudget = 10
        if isFrequent { simulated.perform(.frequentOn) }
        for number in 0..<11 {
            simulated.start(order: "O\(number)")
            simulated.pass(seconds: 2)
        }
        #expect(simulated.phone.cards.count == 10)
        #expect(simulated.lastVerdict == .startBudgetExceeded)
        let text = "Push-to-start budget exceeded for DoorstepAttributes, not starting activity"
        #expect(simulated.phone.log.lines.last?.text == text)
        // The window slides: the first start is forgotten before the second.
        simulated.pass(seconds: 600 - 22)
        simulated.start(order: "O10")
        simulated.start(order: "O11")
        #expect(simulated.phone.cards.count == 11)
    }

    @Test mutating func `behaviour 33: the window of starts is as long as it is set`() {
        simulated.world.knobs.phones.startBudget = 1
        simulated.world.knobs.phones.startBudgetWindow = 60_000_000
        simulated.start()
        simulated.pass(seconds: 59)
        simulated.start()
        #expect(simulated.lastVerdict == .startBudgetExceeded)
        simulated.pass(seconds: 1)
        simulated.start()
        #expect(simulated.lastVerdict == .applied)
    }

    @Test mutating func `behaviour 34: nothing starts on a channel before iOS 18, or on one that nobody made`() {
        simulated.start(["input-push-channel": "dHN0LXNyY2gtY2hubA=="])
        #expect(simulated.lastVerdict == .channelUnsupported)
        let channel = simulated.world.channels.create(
            app: 0,
            .sandbox,
            .nothing,
            at: simulated.now.wall,
            using: &simulated.world.generator
        )
        let id = JSON.string(simulated.world.channels[channel].id)
        let old = simulated.addPhone("P2", os: "17.6")
        simulated.start(["input-push-channel": id], on: old)
        #expect(simulated.lastVerdict == .channelUnsupported)
        simulated.start(["input-push-channel": id])
        #expect(simulated.lastVerdict == .applied)
    }

    @Test(
        arguments: [
            ("16.0", false, false), ("16.1", false, true), ("17.1", false, true), ("17.2", true, true),
            ("18", true, true), ("26.0.1", true, true),
        ]
    )
    mutating func `behaviour 34: what the system is too old for, its app does not have`(
        os: String,
        hasStartToken: Bool,
        mayShowCards: Bool
    ) throws {
        _ = simulated.takeCalls()
        let phone = simulated.addPhone("P2", os: os)
        let registration = try JSON.parse(try #require(simulated.takeCalls().last).body)
        let token = simulated.world.phones[phone].startToken.value
        #expect(registration["pushToStartToken"] == (hasStartToken ? .string(token) : .null))
        #expect(registration["activitiesEnabled"] == .bool(mayShowCards))
        #expect(registration["osVersion"] == .string(os))
        let reply = simulated.start(on: phone)
        #expect((reply.refusal == nil) == hasStartToken)
    }

    @Test mutating func `behaviour 37: two starts make two cards, counted as duplicates`() {
        simulated.start()
        simulated.start()
        #expect(simulated.phone.cards.count == 2)
        #expect(simulated.world.totals.duplicateCards == 1)
        #expect(simulated.world.totals.pairs == 1)
    }

    @Test mutating func `behaviour 37: a second incarnation is no duplicate`() {
        simulated.start()
        simulated.start(["attributes": SimulatedWorld.attributes(incarnation: 2)])
        #expect(simulated.world.totals.duplicateCards == 0)
    }
}
