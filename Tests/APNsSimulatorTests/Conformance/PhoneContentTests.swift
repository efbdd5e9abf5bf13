import JSONText
import Testing

@testable import APNsSimulator

/// Which pushes change a card: behaviours 38 to 41 of the contract page.
@Suite struct PhoneContentTests {
    private static let hour: Int64 = 3600
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
        simulated.start()
        simulated.pass(seconds: 1)
    }

    private var state: Card.State { simulated.card.state(at: simulated.now.phone) }

    @Test mutating func `behaviour 38: an update replaces the whole content`() {
        simulated.change("update", ["content-state": SimulatedWorld.state(phase: "courier_waiting", revision: 4)])
        #expect(simulated.card.content.phase == "courier_waiting")
        #expect(simulated.card.content.revision == 4)
        #expect(simulated.world.log[simulated.world.log.lastSequence]?.revision == 4)
    }

    @Test(arguments: ["update", "end"])
    mutating func `behaviour 38: an older timestamp is ignored`(event: String) {
        simulated.change(event, ["timestamp": .integer(simulated.seconds - 5)])
        #expect(simulated.lastVerdict == .olderTimestamp)
        #expect(state == .active)
        #expect(simulated.world.totals.timestampRegressions == 1)
    }

    @Test mutating func `behaviour 38: an end may be exempt, and an update is not`() {
        simulated.world.knobs.phones.endIgnoresTimestamp = true
        let old: [String: JSON?] = ["timestamp": .integer(simulated.seconds - 5)]
        simulated.change("update", old)
        #expect(simulated.lastVerdict == .olderTimestamp)
        simulated.change("end", old)
        #expect(simulated.lastVerdict == .applied)
        #expect(state == .ended)
    }

    @Test(arguments: [true, false])
    mutating func `behaviour 38: a tie counts or not, and is noted against the sender`(applies: Bool) {
        simulated.world.knobs.phones.appliesTies = applies
        simulated.change("update")
        simulated.change("update", ["content-state": SimulatedWorld.state(phase: "courier_waiting")])
        #expect(simulated.lastVerdict == (applies ? .applied : .olderTimestamp))
        #expect(simulated.card.content.phase == (applies ? "courier_waiting" : "on_the_way"))
        #expect(simulated.world.totals.timestampRegressions == 1)
    }

    @Test mutating func `behaviour 38: a timestamp more than eight hours ahead is ignored`() {
        simulated.change("update", ["timestamp": .integer(simulated.seconds + 8 * Self.hour + 1)])
        #expect(simulated.lastVerdict == .timestampTooFarAhead)
        simulated.change("update", ["timestamp": .integer(simulated.seconds + 8 * Self.hour)])
        #expect(simulated.lastVerdict == .applied)
    }

    @Test(arguments: [(60, .timestampTooFarAhead), (nil, .applied)] as [(Int64?, Verdict)])
    mutating func `behaviour 38: how far ahead is a knob`(seconds: Int64?, verdict: Verdict) {
        simulated.world.knobs.phones.timestampAhead = seconds.map { $0 * 1_000_000 }
        simulated.change("update", ["timestamp": .integer(simulated.seconds + 100 * Self.hour)])
        #expect(simulated.lastVerdict == verdict)
    }

    @Test(
        arguments: [
            (["phase": "delivered"], "late: missing"), (SimulatedWorld.state(phase: "flying"), "phase: unknown word"),
            (["phase": 7], "phase: unknown word"), ("text", "not an object"),
        ] as [(JSON, String)]
    )
    mutating func `behaviour 39: a push that does not decode leaves the old state`(content: JSON, fault: String) {
        simulated.change("update", ["content-state": content])
        #expect(simulated.lastVerdict == .stateUndecodable)
        #expect(simulated.card.content.phase == "on_the_way")
        #expect(simulated.world.totals.undecodable == 1)
        #expect(simulated.phone.log.lines.last?.text == "decode failure: content-state: \(fault)")
    }

    @Test mutating func `behaviour 39: keys that the type does not have are ignored`() {
        var content = SimulatedWorld.state().objectValue ?? [:]
        content["surprise"] = ["deep": [1, 2]]
        simulated.change("update", ["content-state": .object(content)])
        #expect(simulated.lastVerdict == .applied)
    }

    @Test mutating func `behaviour 40: attributes and content together may not exceed 4096 bytes`() {
        func long(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }
        simulated.start(["attributes": ["order": "O2", "incarnation": 1, "restaurant": long(2000)]])
        #expect(simulated.lastVerdict == .applied)
        var state = SimulatedWorld.state().objectValue ?? [:]
        state["courier"] = long(2000)
        simulated.change("update", ["content-state": .object(state)])
        #expect(simulated.lastVerdict == .tooLarge)
        #expect(simulated.world.totals.oversizedPayloads == 1)
    }

    @Test(arguments: [(false, 3), (true, 6)])
    mutating func `behaviour 41: an hour has its budget of priority 10, at two levels; priority 5 is free`(
        isFrequent: Bool,
        budget: Int
    ) throws {
        simulated.world.knobs.phones.urgentPerHour = 3
        simulated.world.knobs.phones.urgentPerHourFrequent = 6
        if isFrequent { simulated.perform(.frequentOn) }
        simulated.start(order: "O2")
        for _ in 0..<budget {
            simulated.pass(seconds: 2)
            simulated.change("update")
            #expect(simulated.lastVerdict == .applied)
        }
        simulated.pass(seconds: 2)
        simulated.change("update", ["content-state": SimulatedWorld.state(phase: "courier_waiting")])
        #expect(simulated.lastVerdict == .urgentBudgetExceeded)
        simulated.change("update", priority: 5)
        #expect(simulated.lastVerdict == .applied)
        // Another card has a budget of its own, and the hour rolls on.
        simulated.start(order: "O3")
        simulated.pass(seconds: 2)
        simulated.change("update")
        #expect(simulated.lastVerdict == .applied)
        simulated.pass(seconds: Self.hour)
        simulated.token = try simulated.bearer()
        simulated.change("update")
        #expect(simulated.lastVerdict == .applied)
    }

    @Test mutating func `behaviour 41: what is over the budget may wait for it, the newest only`() {
        simulated.world.knobs.phones.urgentPerHour = 1
        simulated.world.knobs.phones.overBudget = .defer
        simulated.change("update")
        var sequences: [Int] = []
        for phase in ["accepted", "courier_waiting"] {
            simulated.pass(seconds: 2)
            simulated.change("update", ["content-state": SimulatedWorld.state(phase: phase)])
            #expect(simulated.lastVerdict == .deferred)
            sequences.append(simulated.world.log.lastSequence)
        }
        #expect(simulated.world.log[sequences[0]]?.verdict == .replaced)
        simulated.pass(seconds: Self.hour - 5)
        simulated.world.sweep(at: simulated.now)
        #expect(simulated.card.content.phase == "on_the_way")
        simulated.pass(seconds: 1)
        simulated.world.sweep(at: simulated.now)
        #expect(simulated.card.content.phase == "courier_waiting")
        #expect(simulated.lastVerdict == .applied)
        #expect(simulated.world.totals.verdicts[.deferred] == 0)
        #expect(simulated.world.deferring.isEmpty)
    }

    @Test mutating func `behaviour 41: no budget binds as Apple's pages have it, one of ours does in the field`() {
        #expect(PhoneRules(.docs, Knobs.Phones()).urgentBudget == nil)
        #expect(PhoneRules(.field, Knobs.Phones()).urgentBudget == .init(normal: 60, frequent: 240))
    }
}
