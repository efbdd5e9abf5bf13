import Testing
import Tracking

/// How an order ends, and what undoes it (engine rules, section 2).
@Suite struct OrderFinalTests {
    private static let finals: [(String, Phase, Int)] = [
        ("order.cancelled", .cancelled, 1), ("order.returning", .failed, 2), ("order.returned", .returned, 3),
        ("order.delivered", .delivered, 4),
    ]

    // D09
    @Test(arguments: finals, finals)
    func `the first final by event time wins`(first: (String, Phase, Int), second: (String, Phase, Int)) {
        let folded = Order.fold([event(second.0, at: 1, id: "second"), event(first.0, at: 0, id: "first")])
        let returnFollows = first.1 == .failed && second.1 == .returned
        let agree = first.1 == second.1
        #expect(folded.order.phase == (returnFollows ? .returned : first.1))
        #expect(folded.order.flags.contains(.contradiction) == !(agree || returnFollows))
        #expect(folded.facts.last?.effect == (agree ? FoldEffect.none : returnFollows ? .changed : .contradiction))
    }

    @Test(arguments: finals, finals)
    func `of two finals at one instant the better one wins`(first: (String, Phase, Int), second: (String, Phase, Int)) {
        let order = fold(event(first.0, at: 0, id: "first"), event(second.0, at: 0, id: "second"))
        #expect(order.phase == (first.2 > second.2 ? first.1 : second.1))
        let isReturn = Set([first.1, second.1]) == [.failed, .returned]
        #expect(order.flags.contains(.contradiction) == !(isReturn || first.1 == second.1))
    }

    @Test func `a final that arrives late still ends the order at its own time`() {
        let (order, effects) = foldAsTheyArrive([event("courier.waiting", at: 5), event("order.cancelled", at: 3)])
        #expect(order.phase == .cancelled)
        #expect(order.since == minute(3))
        #expect(effects == [.changed, .changed])
    }

    @Test func `a closed order is bookkeeping, never a delivery`() {
        #expect(fold(event("order.on_the_way", at: 0), event("order.closed", at: 1)).phase == .onTheWay)
    }

    // MARK: - Reopen

    // D11
    @Test(arguments: [(nil, Phase.accepted), (Phase.onTheWay, .onTheWay), (.placed, .placed)])
    func `reopening goes back to the phase it names`(named: Phase?, phase: Phase) {
        let order = fold(
            event("order.delivered", at: 0),
            event("order.reopened", at: 1) { $0.phase = named }
        )
        #expect(order.phase == phase)
        #expect(order.since == minute(1))
        #expect(order.flags.contains(.reopened))
    }

    @Test func `after reopening the order goes on as any other`() {
        let order = fold(
            event("courier.nearby", at: 0),
            event("order.cancelled", at: 1),
            event("order.reopened", at: 2),
            event("order.picked_up", at: 3)
        )
        #expect(order.phase == .onTheWay)
        #expect(!order.flags.contains(.contradiction))
        #expect(!order.flags.contains(.nearby))
    }

    // MARK: - Void

    private static func void(_ id: String, at time: Double, id own: String? = nil) -> PartnerFact {
        event("event.voided", at: time, id: own) { $0.voids = EventReference(source: "pos", id: id) }
    }

    // D10
    @Test func `a voided event is as if it had never been told`() {
        let facts = [
            event("order.on_the_way", at: 0), event("order.delivered", at: 1, id: "slip"), Self.void("slip", at: 2),
        ]
        for arrival in permutations(of: facts) {
            let order = foldAsTheyArrive(arrival).order
            #expect(order.phase == .onTheWay)
            #expect(order.flags == .corrected)
            #expect(order.revision == 3)
        }
        #expect(Order.fold(facts).facts.map(\.effect) == [.changed, .voided, .none])
    }

    @Test func `a void may arrive before its target and carry an older time`() {
        let (order, effects) = foldAsTheyArrive([
            Self.void("slip", at: 0), event("order.delivered", at: 1, id: "slip"), event("order.accepted", at: 2),
        ])
        #expect(order.phase == .accepted)
        #expect(effects == [FoldEffect.none, .voided, .changed])
    }

    @Test func `a void reaches only its own source`() {
        let order = fold(event("order.delivered", at: 0, id: "slip", source: "other"), Self.void("slip", at: 1))
        #expect(order.phase == .delivered)
    }

    @Test func `a retracted void retracts nothing`() {
        let order = fold(
            event("order.delivered", at: 0, id: "right"),
            Self.void("right", at: 1, id: "hasty"),
            Self.void("hasty", at: 2)
        )
        #expect(order.phase == .delivered)
        #expect(order.voided == [EventReference(source: "pos", id: "hasty")])
    }

    @Test func `only the void type voids`() {
        let facts = [
            event("order.delivered", at: 0, id: "right"),
            event("order.ready", at: 1) { $0.voids = EventReference(source: "pos", id: "right") },
        ]
        #expect(Order.fold(facts).order.phase == .delivered)
        #expect(foldAsTheyArrive(facts).order == Order.fold(facts).order)
    }

    // MARK: - Repeats

    // D05
    @Test func `the same event under a new id is a repeat`() {
        let twice = [event("order.accepted", at: 0, id: "1"), event("order.accepted", at: 0, id: "2")]
        #expect(Order.fold(twice).facts.map(\.effect) == [.changed, .repeated])
        #expect(foldAsTheyArrive(twice).effects == [.changed, .repeated])
    }

    @Test func `the same word at another time is no repeat`() {
        #expect(effects(event("order.accepted", at: 0), event("order.accepted", at: 1)) == [.changed, .none])
    }

    @Test func `facts of one moment follow each other without a fold from the start`() {
        var order = Order()
        for id in ["1", "2", "3"] {
            let fact = event("eta.changed", at: 0, id: id) { $0.eta = .known(minute(id == "3" ? 9 : 8)) }
            #expect(order.accepts(fact))
            #expect(order.evolve(fact) == (id == "2" ? .repeated : .none))
        }
        #expect(!order.accepts(event("eta.changed", at: 0, id: "0")))
    }

    @Test func `what repeats a voided event counts in its place`() {
        let folded = Order.fold([
            event("order.delivered", at: 0, id: "1"), event("order.delivered", at: 0, id: "2"), Self.void("1", at: 1),
        ])
        #expect(folded.order.phase == .delivered)
        #expect(folded.facts.map(\.effect) == [.voided, .changed, .none])
    }
}
