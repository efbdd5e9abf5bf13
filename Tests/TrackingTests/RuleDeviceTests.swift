import Testing
import Tracking

/// Dead tokens, budgets, switches and owners (engine rules 10 to 13), and reports that come too late.
@Suite struct RuleDeviceTests {
    // MARK: - Dead tokens

    @Test func `a token younger than its death is offered once more`() throws {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 5)
        for state in [ActivityState.live, .unreachable] {
            let push = try order.claimed()
            order.refuses(push, .forgetToken, deadSince: minute(-1))
            #expect(order.card()?.state == state)
            order.passes(minutes: 1)
        }
    }

    @Test func `an end that meets a dead token is let go`() throws {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 5)
        let push = try order.claimed()
        order.refuses(push, .forgetToken)
        #expect(order.card()?.state == .ended(.unconfirmed))
    }

    @Test(arguments: [(false, 1), (true, 2)])
    func `after a dead update token another card starts only where the policy says so`(
        restarts: Bool,
        cards: Int
    ) throws {
        var order = OneOrder { $0.restartAfter410 = restarts }
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.happens("courier.waiting", at: 5)
        let push = try order.claimed()
        order.refuses(push, .forgetToken)
        order.passes(minutes: 1)
        order.send()
        #expect(order.states.count == cards)
        #expect(order.sent.count == cards)
    }

    // MARK: - Budgets

    /// A phone with room for everything but what the policy's starts say.
    private static func device() -> DeviceStream {
        var device = DeviceStream(id: OneOrder.phone)
        var registration = DeviceRegistration(observedAt: noon)
        registration.customer = OneOrder.owner
        registration.startToken = .replaced
        _ = device.handle(.registered(registration), version: 1, now: noon, policy: Policy())
        return device
    }

    private static func ask(_ device: inout DeviceStream, _ number: Int, at time: Instant) -> Relay? {
        var policy = Policy()
        policy.maxActivities = 100
        let message = Relay.DeviceMessage.startRequested(OrderID("\(number)"), incarnation: 1)
        return device.handle(.message(message), version: number + 2, now: time, policy: policy).first
    }

    private static func granted(_ number: Int, from: Instant? = nil) -> Relay {
        .toOrder(OrderID("\(number)"), .startGranted(OneOrder.phone, incarnation: 1, from: from))
    }

    private static func refused(_ number: Int, until: Instant?) -> Relay {
        .toOrder(OrderID("\(number)"), .startRefused(OneOrder.phone, incarnation: 1, until: until))
    }

    @Test func `a phone takes eight starts an hour`() {
        var device = Self.device()
        for number in 0..<8 {
            #expect(Self.ask(&device, number, at: minute(Double(number) * 4)) == Self.granted(number))
        }
        #expect(Self.ask(&device, 8, at: minute(45)) == Self.refused(8, until: minute(60)))
        #expect(Self.ask(&device, 8, at: minute(60)) == Self.granted(8))
    }

    @Test func `starts of one phone are a second apart`() {
        var device = Self.device()
        #expect(Self.ask(&device, 1, at: noon) == Self.granted(1))
        #expect(Self.ask(&device, 2, at: noon) == Self.granted(2, from: noon + .seconds(1)))
    }

    @Test func `after four starts without a sign of the app there is one a day`() {
        var device = Self.device()
        for number in 0..<4 {
            #expect(Self.ask(&device, number, at: minute(Double(number) * 15)) == Self.granted(number))
            let answer = Relay.DeviceMessage.startAnswered(
                OrderID("\(number)"),
                incarnation: 1,
                result: .accepted,
                deadSince: nil
            )
            _ = device.handle(.message(answer), version: 50, now: noon, policy: Policy())
        }
        #expect(Self.ask(&device, 4, at: minute(70)) == Self.refused(4, until: minute(45 + 24 * 60)))
        var woken = device
        _ = woken.handle(.running(cards: [:], sequence: nil), version: 60, now: noon, policy: Policy())
        #expect(Self.ask(&woken, 4, at: minute(70)) == Self.granted(4))
        #expect(Self.ask(&device, 4, at: minute(45 + 24 * 60)) == Self.granted(4))
    }

    // MARK: - Switches and owners

    @Test func `cards that the switch removed need no end, and on again there is another`() {
        var order = OneOrder.running()
        order.world.turnSwitch(OneOrder.phone, on: false)
        order.settleRelays()
        order.send()
        #expect(order.states == [.ended(.disabled)])
        #expect(order.sent == ["start on_the_way"])
        order.passes(minutes: 1)
        order.world.turnSwitch(OneOrder.phone, on: true)
        order.settleRelays()
        order.send()
        #expect(order.sent == ["start on_the_way", "start on_the_way"])
        #expect(order.states == [.ended(.disabled), .starting])
    }

    @Test func `a phone whose switch is off gets no card`() {
        var order = OneOrder()
        order.world.turnSwitch(OneOrder.phone, on: false)
        order.settleRelays()
        order.happens("order.on_the_way", at: 0)
        order.send()
        #expect(order.card()?.reason == .switchedOff)
        #expect(order.sent.isEmpty)
    }

    @Test func `leave for frequent updates that changes removes the cards for good`() {
        var order = OneOrder.running()
        order.world.turnFrequent(OneOrder.phone)
        order.settleRelays()
        order.happens("courier.waiting", at: 5)
        order.send()
        #expect(order.states == [.ended(.setting)])
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `a start that was not sent is withdrawn with its owner`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        #expect(order.intention?.verb == .start)
        order.world.logOut(OneOrder.phone)
        order.settleRelays()
        #expect(order.intention == nil)
        #expect(order.card()?.reason == .noDevice)
        #expect(order.world.devices[OneOrder.phone]?.places == [])
    }

    @Test func `the same owner back gets another card`() {
        var order = OneOrder.running()
        order.world.logOut(OneOrder.phone)
        order.settleRelays()
        order.send()
        order.passes(minutes: 1)
        order.world.logIn(OneOrder.phone, OneOrder.owner)
        order.settleRelays()
        order.send()
        #expect(order.states == [.ended(.owner), .starting])
    }

    // MARK: - Reports

    // P34
    @Test func `a report or token older than one already seen has no effect`() {
        var order = OneOrder.running()
        let card = order.onScreen()[0].id
        order.hears(.reported(CardReport(activity: card, state: .active, sequence: 100)))
        order.hears(.reported(CardReport(activity: card, state: .dismissed, sequence: 99)))
        #expect(order.card()?.state == .live)
        order.world.rotateCard(OneOrder.phone)
        order.registers()
        #expect(order.card()?.tokenGeneration == 1)
        order.hears(.reported(CardReport(activity: card, state: .dismissed, sequence: 101)))
        #expect(order.card()?.state == .dismissed)
    }

    @Test(arguments: [(ReportedState.dismissed, ActivityState.dismissed), (.ended, .ended(.unknown))])
    func `an end that overtakes its card's registration waits for it`(said: ReportedState, state: ActivityState) throws
    {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send()
        let card = order.onScreen()[0].id
        order.hears(.reported(CardReport(activity: card, state: said, sequence: 1000)))
        let stream = order.stream
        let cards = try stream.activities.map {
            try Activity(device: $0.device, incarnation: $0.incarnation, stored: $0.stored)
        }
        #expect(try OrderStream(id: stream.id, stored: stream.stored, activities: cards) == stream)
        order.registers()
        #expect(order.states == [state])
        order.happens("courier.waiting", at: 5)
        order.send()
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `a card that the app ended itself is over`() {
        var order = OneOrder.running()
        order.hears(.reported(CardReport(activity: order.onScreen()[0].id, state: .ended, sequence: nil)))
        order.happens("courier.waiting", at: 5)
        order.send()
        #expect(order.states == [.ended(.unknown)])
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `a card missing from the app's list is over, but for a list made before it was registered`() {
        var order = OneOrder.running()
        order.hears(.cardsListed(OneOrder.phone, cards: []))
        #expect(order.states == [.live])
        order.passes(minutes: 1)
        order.hears(.cardsListed(OneOrder.phone, cards: []))
        #expect(order.states == [.ended(.unknown)])
    }

    @Test func `an app that runs a card without a token is only listened to`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        var registration = CardRegistration(
            device: OneOrder.phone,
            activity: ActivityID("own"),
            hasToken: false,
            origin: .app,
            startedAt: minute(0),
            observedAt: minute(0),
            incarnation: nil,
            sequence: 50
        )
        order.hears(.registered(registration))
        #expect(order.card()?.state == .localOnly)
        #expect(order.card()?.reason == .appRunsIt)
        #expect(order.intention == nil)
        registration.hasToken = true
        registration.sequence = 51
        order.hears(.registered(registration))
        #expect(order.card()?.state == .live)
        #expect(order.intention?.verb == .update)
    }
}
