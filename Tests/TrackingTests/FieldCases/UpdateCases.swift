import Testing
import Tracking

/// Updates that were reported lost, repeated, late or too many.
@Suite struct UpdateCases {
    // P59
    @Test(arguments: [nil, 20.0])
    func `ten quiet minutes leave a card fresh`(eta: Double?) {
        var order = OneOrder.running()
        order.happens("order.on_the_way", at: 0.5) { if let eta { $0.eta = .known(minute(eta)) } }
        order.send()
        for _ in 0..<10 {
            order.lives(minutes: 1)
            let card = order.onScreen().first
            #expect(card?.isStale == false)
            #expect(card?.staleAt.map { $0 > order.world.now } == true)
        }
    }

    // P70
    @Test func `the last of ten changes within a second arrives`() {
        var order = OneOrder.running()
        order.passes(minutes: 1)
        for index in 0..<10 {
            order.happens("courier.assigned", at: 1 + Double(index) / 600) {
                $0.courier = .init(id: "\(index)", name: "Courier \(index)")
            }
            order.send()
        }
        order.lives(minutes: 1)
        #expect(order.onScreen().first?.digest == Content(phase: .onTheWay, courierName: "Courier 9").digest)
        #expect(order.sent.count <= 3, "the first and the last, and what lay between them is skipped")
        let stamps = order.world.record.accepted.map(\.stamp)
        #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 })
    }

    // P74
    @Test(arguments: [World.Fate.refused, .lostOnTheWay])
    func `a state whose push failed is not taken for shown`(fate: World.Fate) {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 5)
        order.send(fate)
        #expect(order.onScreen().first?.phase == .onTheWay)
        order.happens("courier.waiting", at: 5.5)
        order.passes(minutes: 1)
        order.send()
        #expect(order.sent == ["start on_the_way", "update courier_waiting"])
        #expect(order.onScreen().first?.phase == .courierWaiting)
    }

    // P75
    @Test(arguments: [(false, 10), (true, 30)])
    func `an hour of changes stays within the budget of urgent pushes`(isFrequent: Bool, budget: Int) throws {
        var order = OneOrder()
        if isFrequent { order.world.turnFrequent(OneOrder.phone) }
        order.settleRelays()
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        for time in 1..<58 {
            order.happens("order.reopened", at: Double(time)) { $0.phase = time % 2 == 1 ? .accepted : .onTheWay }
            order.send()
        }
        let updates = order.world.record.accepted.filter { $0.intention.verb == .update }
        #expect(updates.count == 57, "what is beyond the budget goes out all the same, at priority 5")
        #expect(updates.filter { $0.intention.priority == 10 }.count == budget - order.world.policy.urgentReserved)
        // What must not wait has its own share.
        order.happens("courier.waiting", at: 58)
        order.send()
        #expect(try #require(order.world.record.accepted.last).intention.priority == 10)
        order.happens("order.delivered", at: 59)
        order.send()
        #expect(try #require(order.world.record.accepted.last).intention.priority == 10)
        let urgent = order.world.record.accepted.filter { $0.intention.verb != .start && $0.intention.priority == 10 }
        #expect(urgent.count <= budget)
    }

    // D21
    @Test func `an arrival time that is withdrawn is unknown, never zero`() {
        var order = OneOrder.running()
        order.happens("eta.changed", at: 1) { $0.eta = .known(minute(20)) }
        order.send()
        #expect(order.onScreen().first?.eta == minute(20))
        order.happens("eta.changed", at: 3) { $0.eta = .unknown }
        order.send()
        #expect(order.onScreen().first?.eta == nil)
        #expect(order.onScreen().first?.digest == Content(phase: .onTheWay).digest)
    }

    // D22
    @Test func `an arrival time that jumps every few seconds is one or two pushes`() {
        var order = OneOrder.running()
        order.happens("eta.changed", at: 1) { $0.eta = .known(minute(30)) }
        order.send()
        let before = order.sent.count
        for index in 1...30 {
            let seconds = Double(index) / 60
            order.happens("eta.changed", at: 1 + 3 * seconds) { $0.eta = .known(minute(30 + 10 * seconds)) }
            order.send()
        }
        order.lives(minutes: 3)
        #expect((1...2).contains(order.sent.count - before))
        let shown = order.onScreen().first?.eta
        #expect(shown.map { minute(35) - $0 < .seconds(60) } == true)
        #expect(order.world.orders[OneOrder.id]?.order.eta == minute(35))
        #expect(Order.fold(order.world.arrived[OneOrder.id] ?? []).facts.count == 32)
    }

    // D22
    @Test func `an arrival time that wavers by seconds is no push`() {
        var order = OneOrder.running()
        order.happens("eta.changed", at: 1) { $0.eta = .known(minute(40)) }
        order.send()
        let before = order.sent.count
        for time in 1...10 {
            let seconds = time % 2 == 0 ? 50.0 : -50
            order.happens("eta.changed", at: 1 + Double(time) * 2) { $0.eta = .known(minute(40 + seconds / 60)) }
            order.lives(minutes: 1)
        }
        #expect(order.sent.count == before)
        #expect(Order.fold(order.world.arrived[OneOrder.id] ?? []).facts.count == 12)
    }

    // D23
    @Test func `a courier who left the order is neither shown nor believed`() {
        var order = OneOrder.running()
        order.happens("courier.assigned", at: 1) { $0.courier = .init(id: "a", name: "Ana") }
        order.send()
        order.happens("courier.reassigned", at: 12) { $0.courier = .init(id: "b", name: "Bo") }
        order.send()
        #expect(order.onScreen().first?.digest == Content(phase: .onTheWay, courierName: "Bo").digest)
        order.passes(minutes: 10)
        order.world.tell(OneOrder.id, .courierSeen(courier: "a"))
        #expect(order.world.orders[OneOrder.id]?.asOf == minute(12))
        order.world.tell(OneOrder.id, .courierSeen(courier: "b"))
        #expect(order.world.orders[OneOrder.id]?.asOf == minute(22))
        order.happens("courier.unassigned", at: 23)
        order.send()
        #expect(order.onScreen().first?.digest == Content(phase: .onTheWay, isStale: true).digest)
        order.world.tell(OneOrder.id, .courierSeen(courier: "b"))
        #expect(order.world.orders[OneOrder.id]?.asOf == minute(23))
        order.happens("order.delivered", at: 25)
        order.send()
        order.passes(minutes: 1)
        order.world.tell(OneOrder.id, .courierSeen(courier: nil))
        #expect(order.world.orders[OneOrder.id]?.asOf == minute(25))
        // Unassigned and never heard of are different things.
        #expect(fold(event("courier.unassigned", at: 0)).courierState == .unassigned)
        #expect(fold(event("order.accepted", at: 0)).courierState == .unknown)
    }
}

extension OneOrder {
    /// Time passes minute by minute: timers ring, and what is due is sent and accepted.
    mutating func lives(minutes: Int) {
        for _ in 0..<minutes {
            world.pass(to: world.now + .seconds(60))
            while world.ring() {}
            settleRelays()
            send()
        }
    }
}
