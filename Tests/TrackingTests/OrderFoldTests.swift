import Testing
import Tracking

/// What each event does to an order (engine rules, section 2).
@Suite struct OrderFoldTests {
    // MARK: - The vocabulary

    private static let phases: [(String, Phase)] = [
        ("order.placed", .placed), ("order.accepted", .accepted), ("order.rejected", .cancelled),
        ("order.preparing", .placed), ("order.ready", .placed), ("courier.assigned", .placed),
        ("courier.unassigned", .placed), ("courier.reassigned", .placed), ("courier.to_pickup", .placed),
        ("courier.near_pickup", .placed), ("courier.at_pickup", .placed), ("order.picked_up", .onTheWay),
        ("order.on_the_way", .onTheWay), ("courier.nearby", .onTheWay), ("courier.waiting", .courierWaiting),
        ("order.delivered", .delivered), ("order.closed", .placed), ("delivery.attempt_failed", .placed),
        ("order.cancelled", .cancelled), ("cancellation.requested", .placed), ("cancellation.denied", .placed),
        ("order.returning", .failed), ("order.returned", .returned), ("order.disposed", .placed),
        ("order.reopened", .accepted), ("event.voided", .placed), ("eta.changed", .placed),
        ("courier.location", .placed), ("order.batched", .placed),
    ]

    @Test func `every canonical type is covered by these tests`() {
        #expect(Set(Self.phases.map(\.0)) == Set(EventType.Known.allCases.map(\.rawValue)))
    }

    @Test(arguments: phases)
    func `the first event of an order puts it into its phase`(word: String, phase: Phase) {
        #expect(fold(event(word, at: 0)).phase == phase)
    }

    @Test(arguments: phases)
    func `no event moves a delivered order by itself`(word: String, phase: Phase) {
        let order = fold(event("order.delivered", at: 0), event(word, at: 1))
        #expect(order.phase == (word == "order.reopened" ? .accepted : .delivered))
    }

    @Test(arguments: [
        ("order.preparing", KitchenState.preparing), ("order.ready", .ready), ("order.placed", .unknown),
    ])
    func `the kitchen has a track of its own`(word: String, kitchen: KitchenState) {
        let order = fold(event(word, at: 0))
        #expect(order.kitchen == kitchen)
        #expect(order.courierState == .unknown)
    }

    @Test(arguments: [
        ("courier.assigned", CourierState.assigned), ("courier.unassigned", .unassigned),
        ("courier.to_pickup", .toPickup), ("courier.near_pickup", .nearPickup), ("courier.at_pickup", .atPickup),
        ("order.picked_up", .pickedUp), ("order.on_the_way", .onTheWay), ("courier.nearby", .nearby),
        ("courier.waiting", .waiting), ("order.delivered", .done), ("order.returned", .done),
    ])
    func `the courier has a track of its own`(word: String, courier: CourierState) {
        let order = fold(event(word, at: 0))
        #expect(order.courierState == courier)
        #expect(order.kitchen == .unknown)
    }

    @Test func `an unknown type is kept and changes nothing`() {
        let order = fold(event("order.accepted", at: 0), event("drone.launched", at: 1) { $0.eta = .known(minute(9)) })
        #expect(order.phase == .accepted)
        #expect(order.eta == nil)
        #expect(order.revision == 2)
        #expect(order.flags == .unknownType)
        #expect(
            effects(event("drone.launched", at: 0), event("drone.launched", at: 0, id: "2")) == [.unknown, .unknown]
        )
    }

    // MARK: - Order of arrival

    private static let delivery = [
        event("order.accepted", at: 0), event("order.picked_up", at: 1), event("courier.waiting", at: 2),
        event("order.delivered", at: 3),
    ]

    @Test(arguments: permutations(of: delivery))
    func `four milestones in any order of arrival are delivered`(arrival: [PartnerFact]) {
        let (order, _) = foldAsTheyArrive(arrival)
        #expect(order == Order.fold(Self.delivery).order)
        #expect(order.phase == .delivered)
        #expect(order.since == minute(3))
    }

    @Test(arguments: permutations(of: ["order.accepted", "order.picked_up", "courier.waiting", "order.delivered"]))
    func `four milestones at one instant in any order of arrival are delivered`(arrival: [String]) {
        let folded = Order.fold(arrival.map { event($0, at: 0) })
        #expect(folded.order.phase == .delivered)
        #expect(folded.facts.map(\.phase) == [.accepted, .onTheWay, .courierWaiting, .delivered])
        #expect(folded.facts.map(\.effect) == [.changed, .changed, .changed, .changed])
    }

    @Test func `no milestone needs the one before it`() {
        #expect(fold(event("order.picked_up", at: 0)).phase == .onTheWay)
        #expect(effects(event("courier.waiting", at: 0), event("order.accepted", at: 1)) == [.changed, .superseded])
    }

    @Test func `equal times go by rank, then source, then id`() {
        let facts = [
            event("eta.changed", at: 0, id: "b", source: "a") { $0.displayNumber = "2" },
            event("eta.changed", at: 0, id: "a", source: "b") { $0.displayNumber = "3" },
            event("eta.changed", at: 0, id: "a", source: "a") { $0.displayNumber = "1" },
            event("order.placed", at: 0, id: "z", source: "z") { $0.displayNumber = "0" },
        ]
        let folded = Order.fold(facts)
        #expect(folded.facts.map(\.fact.data.displayNumber) == ["0", "1", "2", "3"])
        #expect(folded.order.displayNumber == "3")
    }

    @Test func `ids that only look alike are two events`() {
        let composed = event("order.placed", at: 0, id: "caf\u{E9}")
        let decomposed = event("order.placed", at: 0, id: "cafe\u{301}")
        #expect(composed.reference != decomposed.reference)
        #expect(foldAsTheyArrive([composed, decomposed]).order == foldAsTheyArrive([decomposed, composed]).order)
    }

    // MARK: - Estimated arrival

    // D21
    @Test func `an arrival time that is not mentioned stays, an unknown one goes`() {
        let told = event("order.accepted", at: 0) { $0.eta = .known(minute(30)) }
        #expect(fold(told, event("order.ready", at: 1)).eta == minute(30))
        #expect(fold(told, event("eta.changed", at: 1) { $0.eta = .unknown }).eta == nil)
        #expect(fold(told, event("eta.changed", at: 1) { $0.eta = .unknown }).firstPromised == minute(30))
    }

    @Test(arguments: [(5.0, false), (5.1, true), (4, false)])
    func `an order is late from five minutes beyond its first promise`(by: Double, isLate: Bool) {
        let order = fold(
            event("order.accepted", at: 0) { $0.eta = .known(minute(30)) },
            event("eta.changed", at: 1) { $0.eta = .known(minute(30 + by)) }
        )
        #expect(order.flags.contains(.late) == isLate)
    }

    @Test(arguments: [(3.0, true), (2.9, false)])
    func `a late order is in time again under three minutes`(by: Double, isLate: Bool) {
        let order = fold(
            event("order.accepted", at: 0) { $0.eta = .known(minute(30)) },
            event("eta.changed", at: 1) { $0.eta = .known(minute(40)) },
            event("eta.changed", at: 2) { $0.eta = .known(minute(30 + by)) }
        )
        #expect(order.flags.contains(.late) == isLate)
    }

    // MARK: - Couriers

    // D23
    @Test func `another courier never keeps the name of the one before`() {
        let ana = event("courier.assigned", at: 0) { $0.courier = .init(id: "1", name: "Ana") }
        #expect(fold(ana).courier?.name == "Ana")
        #expect(fold(ana, event("courier.assigned", at: 1) { $0.courier = .init(id: "2") }).courier?.name == nil)
        #expect(fold(ana, event("courier.reassigned", at: 1)).courier == nil)
        #expect(fold(ana, event("courier.unassigned", at: 1)).courier == nil)
        #expect(fold(ana, event("courier.at_pickup", at: 1) { $0.courier = .init(id: "1") }).courier?.name == "Ana")
    }

    // MARK: - Failed attempts

    @Test func `a failed attempt keeps the phase and withdraws the arrival time`() {
        let order = fold(
            event("courier.waiting", at: 0) { $0.eta = .known(minute(5)) },
            event("delivery.attempt_failed", at: 6)
        )
        #expect(order.phase == .courierWaiting)
        #expect(order.eta == nil)
        #expect(order.flags.contains(.attemptFailed))
        #expect(order.attemptFailedAt == minute(6))
    }

    @Test func `setting out again is a new attempt`() {
        let failed = event("delivery.attempt_failed", at: 1)
        #expect(!fold(failed, event("order.on_the_way", at: 2)).flags.contains(.attemptFailed))
        #expect(fold(failed, event("order.returning", at: 2)).phase == .failed)
        let delivered = fold(failed, event("order.delivered", at: 2))
        #expect(!Content(delivered).attemptFailed)
    }

    // MARK: - Links and flags

    @Test func `customers and references add up, names are completed`() {
        let order = fold(
            event("order.placed", at: 0) {
                $0.customer = CustomerID("ana")
                $0.restaurant = .init(id: "7")
                $0.references = ["till": "1", "table": "4"]
            },
            event("order.accepted", at: 1) {
                $0.customer = CustomerID("bo")
                $0.restaurant = .init(name: "Luca")
                $0.references = ["till": "2"]
            },
            event("order.ready", at: 2) { $0.customer = CustomerID("ana") }
        )
        #expect(order.customers == [CustomerID("ana"), CustomerID("bo")])
        #expect(order.restaurant == .init(id: "7", name: "Luca"))
        #expect(order.references == ["till": "2", "table": "4"])
    }

    @Test func `what was noticed on receipt is flagged on the order`() {
        let order = fold(
            event("order.placed", at: 0, flags: .timeAssumed),
            event("order.accepted", at: 1, flags: .clockAhead),
            event("order.ready", at: 2, flags: .idShared),
            event("cancellation.requested", at: 3),
            event("courier.nearby", at: 4)
        )
        #expect(order.flags.names == ["cancellation_requested", "clock_ahead", "id_shared", "nearby", "time_assumed"])
        #expect(fold(event("cancellation.requested", at: 0), event("cancellation.denied", at: 1)).flags.names == [])
    }

    @Test func `a rejection without words of its own is the reason`() {
        #expect(fold(event("order.rejected", at: 0)).reason == "rejected")
        #expect(fold(event("order.rejected", at: 0) { $0.reason = "closed" }).reason == "closed")
        #expect(fold(event("order.delivered", at: 0), event("order.rejected", at: 1)).reason == nil)
    }
}
