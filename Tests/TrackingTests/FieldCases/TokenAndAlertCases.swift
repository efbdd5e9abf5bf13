import Testing
import Tracking

/// Tokens of the wrong kind and alerts at the wrong moment.
@Suite struct TokenAndAlertCases {
    // P38
    @Test func `a start goes to a start token, everything else to an update token`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 5)
        order.send()
        order.happens("order.delivered", at: 6)
        order.send()
        let decisions = order.world.log.entries[OneOrder.id, default: []].flatMap(\.outcome.decisions)
        for decision in decisions {
            switch decision.kind {
            case .start: #expect(decision.tokenKind == .start)
            case .update, .refresh, .markStale, .end: #expect(decision.tokenKind == .update)
            case .alert: #expect(decision.tokenKind == .device)
            case .openChannel, .closeChannel: #expect(decision.tokenKind == .channel)
            case .wait, .nothing: break
            }
        }
        #expect(Set(decisions.map(\.kind)).isSuperset(of: [.start, .update, .end]))
    }

    // P38
    @Test func `an end waits for an update token however many start tokens there are`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.happens("order.delivered", at: 1)
        order.world.rotateStartToken(OneOrder.phone)
        order.world.logIn(OneOrder.phone, OneOrder.owner)
        order.settleRelays()
        order.lives(minutes: 5)
        #expect(order.sent == ["start on_the_way"])
        #expect(order.card()?.intention?.verb == .end)
        #expect(order.card()?.intention?.dueAt == nil)
    }

    // P73
    @Test func `an alert that waits does not outlive the owner`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 5)
        #expect(order.card()?.intention?.alerts == .courierWaiting)
        order.world.logOut(OneOrder.phone)
        order.settleRelays()
        order.send()
        #expect(order.sent(to: OneOrder.phone) == [.start, .end])
        #expect(order.world.record.accepted.last?.intention.alerts == [])
        #expect(order.onScreen().first?.rings[Alerts.courierWaiting.rawValue] == nil)
    }

    // P73
    @Test func `an alert that waits does not outlive the switch, also when it is turned on again`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 5)
        order.world.turnSwitch(OneOrder.phone, on: false)
        order.settleRelays()
        order.send()
        #expect(order.sent == ["start on_the_way"])
        #expect(order.card()?.intention == nil)
        order.world.turnSwitch(OneOrder.phone, on: true)
        order.settleRelays()
        order.send()
        #expect(order.sent == ["start on_the_way", "start courier_waiting"])
        #expect(order.onScreen().first?.rings[Alerts.courierWaiting.rawValue] == nil)
    }

    // P73
    @Test func `an alert that waited too long does not sound, its news arrives all the same`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 5)
        order.passes(minutes: 3.1)
        order.send()
        #expect(order.onScreen().first?.phase == .courierWaiting)
        #expect(order.onScreen().first?.rings[Alerts.courierWaiting.rawValue] == nil)
    }
}
