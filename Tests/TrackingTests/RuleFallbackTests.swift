import Testing
import Tracking

/// The ordinary alert in the place of a card that does not tell (engine rule 14).
@Suite struct RuleFallbackTests {
    /// On its way with a started card whose token never came.
    private static func withoutToken(_ change: (inout Policy) -> Void = { _ in }) -> OneOrder {
        var order = OneOrder {
            $0.fallbackAlert = true
            change(&$0)
        }
        order.happens("order.on_the_way", at: 0)
        order.send()
        return order
    }

    /// On its way with a running card.
    private static func running() -> OneOrder {
        var order = withoutToken()
        order.registers()
        order.send()
        return order
    }

    /// The card meets a dead token with the courier at the door.
    private static func unreachable() throws -> OneOrder {
        var order = running()
        order.happens("courier.waiting", at: 5)
        let push = try order.claimed()
        order.refuses(push, .forgetToken)
        return order
    }

    // MARK: - When

    @Test func `a courier of whom no card tells is told of once, twenty seconds later`() {
        var order = Self.withoutToken()
        order.happens("courier.waiting", at: 1)
        #expect(order.alert?.verb == .alert)
        #expect(order.alert?.alerts == .courierWaiting)
        #expect(order.alert?.priority == 10)
        #expect(order.alert?.expiresAfter == .seconds(300))
        #expect(order.alert?.dueAt == minute(1) + .seconds(20))
        #expect(order.decided?.kind == .alert)
        #expect(order.decided?.reason == .cardSilent)
        #expect(order.decided?.heldUntil == minute(1) + .seconds(20))
        order.send()
        #expect(order.sent == ["start on_the_way"])
        order.passes(minutes: 0.4)
        order.send()
        order.happens("eta.changed", at: 2) { $0.eta = .known(minute(9)) }
        order.passes(minutes: 1)
        order.send()
        #expect(order.sent == ["start on_the_way", "alert courier_waiting"])
        #expect(order.world.phones[OneOrder.phone]?.alerts[OneOrder.id] == [.courierWaiting])
        #expect(order.decided?.reason != .cardSilent)
    }

    @Test func `nobody is alerted where the policy does not say so`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.happens("courier.waiting", at: 1)
        #expect(order.alert == nil)
        #expect(order.stream.fallbacks.isEmpty)
    }

    @Test func `a card that shows it in time withdraws the alert`() {
        var order = Self.running()
        order.happens("courier.waiting", at: 5)
        #expect(order.alert != nil)
        order.send()
        #expect(order.alert == nil)
        #expect(order.sent.last == "update courier_waiting")
        #expect(order.decided?.reason == .cardShowsIt)
    }

    @Test func `a card that was started with the courier at the door has told it`() {
        var order = OneOrder { $0.fallbackAlert = true }
        order.happens("courier.waiting", at: 0)
        #expect(order.alert != nil)
        order.send()
        #expect(order.alert == nil)
        #expect(order.sent == ["start courier_waiting"])
    }

    @Test func `a card whose token died is not waited for`() throws {
        let order = try Self.unreachable()
        #expect(order.card()?.state == .unreachable)
        #expect(order.alert?.dueAt == minute(5))
        #expect(order.decided?.reason == .cardOutOfReach)
    }

    @Test func `a card of which nobody knows whether it is there is not waited for`() throws {
        var order = OneOrder { $0.fallbackAlert = true }
        order.happens("order.on_the_way", at: 0)
        let push = try order.claimed()
        order.loses(push)
        order.happens("courier.waiting", at: 1)
        #expect(order.card()?.state == .maybeStarted)
        #expect(order.alert?.dueAt == minute(1))
    }

    @Test func `a token that is late frees the alert`() {
        var order = Self.withoutToken()
        order.waits(minutes: 1.8)
        order.happens("courier.waiting", at: 1.8)
        #expect(order.alert?.dueAt == minute(1.8) + .seconds(20))
        order.waits(minutes: 0.25)
        #expect(order.alert?.dueAt == minute(2))
        #expect(order.alert?.reason == .cardOutOfReach)
    }

    @Test func `a cancellation is told, also of an order that had no card`() {
        var order = OneOrder { $0.fallbackAlert = true }
        order.happens("order.placed", at: 0)
        order.happens("order.cancelled", at: 1)
        #expect(order.alert?.alerts == .cancelled)
        #expect(!order.stream.closed)
        order.passes(minutes: 0.4)
        order.send()
        #expect(order.sent == ["alert cancelled"])
        #expect(order.stream.closed)
    }

    // MARK: - When not

    @Test(arguments: ["order.delivered", "order.returning", "delivery.attempt_failed", "courier.unassigned"])
    func `what holds no more is not told`(word: String) {
        var order = Self.withoutToken()
        order.happens("courier.waiting", at: 1)
        order.happens(word, at: 1.1)
        #expect(order.alert == nil)
        order.passes(minutes: 1)
        order.send()
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `what is too long ago is not told`() {
        var order = Self.withoutToken()
        order.world.now = minute(5)
        order.happens("courier.waiting", at: 2.3)
        #expect(order.alert == nil)
        #expect(order.decided?.reason == .alertOutdated)
    }

    @Test func `who swiped the card away hears nothing more`() {
        var order = Self.running()
        order.world.swipeAway(OneOrder.phone)
        order.settleRelays()
        order.happens("courier.waiting", at: 5)
        order.happens("order.cancelled", at: 6)
        #expect(order.card()?.state == .dismissed)
        #expect(order.alert == nil)
        #expect(order.decided?.reason == .dismissed)
    }

    @Test func `a swipe withdraws an alert that has not left`() throws {
        var order = try Self.unreachable()
        let card = order.onScreen()[0].id
        order.hears(.reported(CardReport(activity: card, state: .dismissed, sequence: 1000)))
        #expect(order.alert == nil)
    }

    @Test func `without leave for notifications there is none`() {
        var order = Self.withoutToken()
        order.world.turnNotifications(OneOrder.phone)
        order.settleRelays()
        order.happens("courier.waiting", at: 1)
        #expect(order.alert == nil)
        #expect(order.decided?.reason == .notificationsOff)
        order.world.turnNotifications(OneOrder.phone)
        order.settleRelays()
        #expect(order.alert?.dueAt == minute(1) + .seconds(20))
    }

    @Test func `without an ordinary token there is none`() {
        var order = Self.withoutToken()
        var registration = DeviceRegistration(observedAt: minute(0.5))
        registration.deviceToken = .erased
        order.world.tell(OneOrder.phone, .registered(registration))
        order.settleRelays()
        order.happens("courier.waiting", at: 1)
        #expect(order.alert == nil)
        #expect(order.decided?.reason == .noDeviceToken)
    }

    @Test func `each phone has an alert of its own`() {
        var order = OneOrder(phones: [OneOrder.phone, OneOrder.tablet])
        order.world.policy.fallbackAlert = true
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.happens("courier.waiting", at: 1)
        order.send()
        #expect(order.stream.fallbacks[OneOrder.tablet]?.intention != nil)
        #expect(order.alert == nil)
        order.passes(minutes: 0.4)
        order.send()
        #expect(order.sent(to: OneOrder.tablet) == [.start, .alert])
    }

    @Test func `a phone of another owner is told nothing`() {
        var order = Self.withoutToken()
        order.happens("courier.waiting", at: 1)
        order.world.logOut(OneOrder.phone)
        order.settleRelays()
        #expect(order.alert == nil)
    }

    // MARK: - Answers

    @Test func `an answer to an alert leaves the card alone`() throws {
        var order = try Self.unreachable()
        let before = order.card()
        order.send()
        let after = order.card()
        #expect(order.sent.last == "alert courier_waiting")
        #expect(after?.shown == before?.shown)
        #expect(after?.lastStamp == before?.lastStamp)
        #expect(after?.urgentSentAt == before?.urgentSentAt)
        #expect(after?.state == .unreachable)
    }

    @Test func `a phase that is reached again is not told again`() {
        var order = Self.withoutToken()
        order.happens("courier.waiting", at: 1)
        order.passes(minutes: 0.4)
        order.send()
        order.happens("order.delivered", at: 1.6)
        order.happens("order.reopened", at: 1.8) { $0.phase = .courierWaiting }
        #expect(order.alert == nil)
        #expect(order.decided?.reason == .alertGiven)
    }

    @Test func `an alert whose answer was lost is not repeated`() throws {
        var order = try Self.unreachable()
        order.send(.lostOnTheWay)
        order.passes(minutes: 1)
        order.send()
        #expect(order.alert == nil)
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `an alert that was refused is offered again while it is fresh`() throws {
        var order = try Self.unreachable()
        order.send(.refused)
        #expect(order.alert?.dueAt == minute(5) + .seconds(2))
        order.passes(minutes: 0.1)
        order.send(.refused)
        order.passes(minutes: 3)
        order.send()
        #expect(order.alert == nil)
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `a dead ordinary token is forgotten, and the start token stays`() throws {
        var order = try Self.unreachable()
        order.passes(minutes: 0.1)
        order.world.rotateDeviceToken(OneOrder.phone)
        order.send()
        let device = order.world.devices[OneOrder.phone]
        #expect(device?.hasDeviceToken == false)
        #expect(device?.hasStartToken == true)
        #expect(order.alert == nil)
        order.world.logIn(OneOrder.phone, OneOrder.owner)
        order.settleRelays()
        order.passes(minutes: 0.5)
        order.send()
        #expect(order.sent.last == "alert courier_waiting")
    }

    @Test func `a card that can be reached later shows without a sound what the alert told`() throws {
        var order = try Self.unreachable()
        order.send()
        order.world.rotateCard(OneOrder.phone)
        order.registers()
        #expect(order.card()?.state == .live)
        #expect(order.intention?.content.phase == .courierWaiting)
        #expect(order.intention?.alerts == [])
    }
}
