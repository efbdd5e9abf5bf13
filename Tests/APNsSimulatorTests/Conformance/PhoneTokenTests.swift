import Crypto
import JSONText
import Testing

@testable import APNsSimulator

/// Whether an update token comes after a start: behaviours 35 and 36 of the contract page.
@Suite struct PhoneTokenTests {
    private var simulated: SimulatedWorld

    init() throws { simulated = try SimulatedWorld() }

    /// A start on a new phone; the calls of its app.
    private mutating func start(_ prompt: Prompt, _ preset: Preset = .docs) -> (phone: Int, calls: [DoorstepCall]) {
        let phone = simulated.addPhone("P\(simulated.world.phones.count)", preset: preset, prompt: prompt)
        _ = simulated.takeCalls()
        simulated.start(on: phone)
        return (phone, simulated.takeCalls())
    }

    @Test(arguments: [Prompt.allowed, .always])
    mutating func `behaviour 35: who allows lets the app have the token`(prompt: Prompt) {
        let (phone, calls) = start(prompt)
        #expect(calls.map(\.method) == ["PUT"])
        simulated.pass(seconds: 1)
        simulated.change("update", on: phone)
        #expect(simulated.lastVerdict == .applied)
    }

    @Test mutating func `behaviour 35: who taps Don't Allow loses the card, and nothing starts any more`() throws {
        let (phone, calls) = start(.denied)
        #expect(simulated.lastVerdict == .promptDenied)
        #expect(simulated.world.phones[phone].cards.isEmpty)
        let registration = try JSON.parse(try #require(calls.last).body)
        #expect(registration["activitiesEnabled"] == false)
        simulated.start(on: phone)
        #expect(simulated.lastVerdict == .activitiesDisabled)
        simulated.perform(.enable, on: phone)
        simulated.start(on: phone)
        #expect(simulated.lastVerdict == .applied)
    }

    @Test(arguments: zip([AppState.foreground, .background, .terminated, .forceQuit], [1, 0.95, 0.5, 0.35]))
    mutating func `behaviour 35: in the field the app is woken as often as developers report`(
        state: AppState,
        share: Double
    ) {
        let phones = (0..<400).map { simulated.addPhone("F\($0)", preset: .field) }
        for phone in phones { simulated.world.phones[phone].setApplication(state) }
        _ = simulated.takeCalls()
        for phone in phones { simulated.start(on: phone) }
        let woken = Double(simulated.takeCalls().count) / 400
        #expect(abs(woken - share) < 0.08)
    }

    @Test mutating func `behaviour 35: how often is a knob, for each state of the app`() {
        for state in AppState.allCases {
            simulated.world.knobs.phones.wake = [state: 0]
            let phone = simulated.addPhone("\(state)")
            simulated.world.phones[phone].setApplication(state)
            _ = simulated.takeCalls()
            simulated.start(on: phone)
            #expect(simulated.lastVerdict == .applied)
            #expect(simulated.takeCalls().isEmpty)
            let text = "the app was not woken: nobody has the card's update token"
            #expect(simulated.world.phones[phone].log.lines.last?.text == text)
        }
    }

    @Test mutating func `behaviour 35: a start keeps the app running for as long as it is set`() throws {
        simulated.world.knobs.phones.awake = 5_000_000
        let phone = simulated.addPhone()
        simulated.perform(.terminate)
        simulated.start(on: phone, order: "O1")
        simulated.start(on: phone, order: "O2")
        _ = simulated.takeCalls()
        simulated.pass(seconds: 4)
        simulated.perform(.dismiss, .init(activity: simulated.card.activity.description))
        #expect(simulated.takeCalls().map(\.path).last?.hasSuffix("/reports?app=demo") == true)
        simulated.pass(seconds: 1)
        simulated.perform(.dismiss)
        #expect(simulated.takeCalls().isEmpty)
    }

    @Test mutating func `behaviour 35: opening the app uploads the tokens it had missed`() {
        let phone = simulated.addPhone("P1", preset: .field)
        simulated.world.knobs.phones.wake = [.forceQuit: 0]
        simulated.perform(.forceQuit)
        for number in 0..<4 { simulated.start(on: phone, order: "O\(number)") }
        _ = simulated.takeCalls()
        simulated.perform(.open)
        let paths = simulated.takeCalls().map(\.path)
        #expect(paths.count(where: { $0.contains("/activities/") }) == 4)
        #expect(paths.first == "/v1/devices/P1?app=demo")
        #expect(paths.last == "/v1/devices/P1/running?app=demo")
    }

    @Test mutating func `behaviour 36: an ignored prompt keeps the first state and gives no token`() {
        let (phone, calls) = start(.ignored)
        #expect(calls.isEmpty)
        for event in ["update", "end"] {
            simulated.pass(seconds: 1)
            simulated.change(event, ["content-state": SimulatedWorld.state(phase: "delivered")], on: phone)
            #expect(simulated.lastVerdict == .promptIgnored)
        }
        #expect(simulated.card.state(at: simulated.now.phone) == .active)
        #expect(simulated.card.content.phase == "on_the_way")
    }

    @Test mutating func `behaviour 36: a late Allow wakes the app for the token, for this card or for all to come`() {
        let (phone, _) = start(.ignored)
        simulated.start(on: phone, order: "O2")
        simulated.perform(.allow, .init(activity: simulated.card.activity.description))
        #expect(simulated.takeCalls().map(\.path).count(where: { $0.contains("/activities/") }) == 1)
        simulated.pass(seconds: 1)
        simulated.change("update", on: phone)
        #expect(simulated.lastVerdict == .promptIgnored)
        simulated.perform(.allowAlways)
        #expect(simulated.takeCalls().map(\.path).count(where: { $0.contains("/O2/activities/") }) == 1)
        simulated.change("update", on: phone)
        #expect(simulated.lastVerdict == .applied)
        simulated.start(on: phone, order: "O3")
        #expect(simulated.takeCalls().count == 1)
    }

    @Test mutating func `behaviour 36: a late Don't Allow takes the cards away`() {
        let (phone, _) = start(.ignored)
        simulated.perform(.deny)
        #expect(simulated.card.state(at: simulated.now.phone) == .dismissed)
        #expect(!simulated.world.phones[phone].activitiesEnabled)
    }

    @Test mutating func `behaviour 26: a silently dead start token answers 200 and starts nothing`() {
        simulated.addPhone()
        simulated.perform(.killStartToken)
        #expect(simulated.start().refusal == nil)
        #expect(simulated.lastVerdict == .silentlyDead)
        simulated.perform(.rotate)
        simulated.start()
        #expect(simulated.lastVerdict == .applied)
    }
}
