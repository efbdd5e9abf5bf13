import Testing
import Tracking

/// When a card starts (engine rules 1 to 3).
@Suite struct RuleStartTests {
    @Test func `asking does not start a card before its phase`() {
        var order = OneOrder()
        order.hears(.asked(OneOrder.phone))
        order.happens("order.accepted", at: 0)
        order.send()
        #expect(order.card()?.reason == .beforeStartPhase)
        #expect(order.sent.isEmpty)
    }

    @Test func `an app that asked has half a minute to start the card itself`() {
        var order = OneOrder()
        order.hears(.asked(OneOrder.phone))
        order.happens("order.on_the_way", at: 0)
        #expect(order.intention?.dueAt == minute(0.5))
        order.world.startInApp(OneOrder.phone, OneOrder.id)
        order.registers()
        order.passes(minutes: 1)
        order.send()
        #expect(order.sent == ["update on_the_way"])
    }

    @Test(arguments: [(361.0, Reason.tooOld), (359, .phaseReached)])
    func `a phase of six hours ago starts no card`(now: Double, reason: Reason) {
        var order = OneOrder()
        order.world.now = minute(now)
        order.happens("order.on_the_way", at: 0)
        #expect(order.card()?.reason == reason)
        var unlimited = OneOrder { $0.maxStartAge = nil }
        unlimited.world.now = minute(now)
        unlimited.happens("order.on_the_way", at: 0)
        #expect(unlimited.intention?.verb == .start)
    }

    @Test func `an order that is over starts no card`() {
        var order = OneOrder()
        order.happens("order.delivered", at: 0)
        order.send()
        #expect(order.card()?.reason == .finishedBeforeStart)
        #expect(order.sent.isEmpty)
    }

    @Test func `an order for later starts its card an hour before`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0) { $0.scheduledFor = minute(120) }
        order.waits(minutes: 59)
        order.send()
        #expect(order.card()?.reason == .beforeSchedule)
        #expect(order.sent.isEmpty)
        order.waits(minutes: 1)
        order.send()
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `a phone that is full is left alone`() {
        var order = OneOrder { $0.maxActivities = 0 }
        order.happens("order.on_the_way", at: 0)
        order.send()
        #expect(order.card()?.reason == .refusedByDevice)
        #expect(order.sent.isEmpty)
    }

    @Test func `a spent budget is asked again when it has room`() {
        var order = OneOrder { $0.startsPerTenMinutes = 1 }
        order.world.tell(OneOrder.phone, .message(.startRequested(OrderID("another"), incarnation: 1)))
        order.happens("order.on_the_way", at: 1)
        order.waits(minutes: 8.9)
        order.send()
        #expect(order.card()?.reason == .startBudgetSpent)
        #expect(order.sent.isEmpty)
        order.waits(minutes: 0.1)
        order.send()
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `a start leaves no earlier than its device allows`() {
        var order = OneOrder()
        order.world.tell(OneOrder.phone, .message(.startRequested(OrderID("another"), incarnation: 1)))
        order.happens("order.on_the_way", at: 0)
        #expect(order.intention?.dueAt == noon + .seconds(1))
    }

    @Test func `a card that cannot show an unknown arrival time waits for one`() {
        var order = OneOrder { $0.contract.holdsUntilETA = true }
        order.happens("order.on_the_way", at: 0)
        #expect(order.card()?.reason == .etaUnknown)
        order.happens("eta.changed", at: 1) { $0.eta = .known(minute(20)) }
        order.send()
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `cards that cannot be told apart are started by the app alone`() {
        var order = OneOrder { $0.contract.startsByPush = false }
        order.happens("order.on_the_way", at: 0)
        #expect(order.card()?.reason == .startedByAppOnly)
        #expect(order.intention == nil)
    }

    @Test func `a phone whose app has another type of attributes is sent no start`() {
        var order = OneOrder { $0.contract.attributesTypes = ["Delivery"] }
        order.updatesApp(to: "1", attributesType: "Parcel")
        order.happens("order.on_the_way", at: 0)
        #expect(order.card()?.reason == .otherAttributesType)
        #expect(order.intention == nil)
        order.updatesApp(to: "2", attributesType: "Delivery")
        #expect(order.intention?.verb == .start)
    }

    @Test func `where the app's own card runs, a refused start is not repeated`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send(.refused)
        order.world.startInApp(OneOrder.phone, OneOrder.id)
        order.registers()
        order.passes(minutes: 1)
        order.send()
        #expect(order.stream.activities.first?.reason == .otherCardRuns)
        #expect(order.sent == ["update on_the_way"])
    }

    @Test func `of two cards that the app started the earlier stays`() {
        var order = OneOrder()
        order.happens("order.accepted", at: 0)
        for _ in 0..<2 {
            order.world.startInApp(OneOrder.phone, OneOrder.id)
            order.registers()
        }
        order.send()
        #expect(order.onScreen().map(\.isRunning) == [true, false])
        #expect(order.states == [.live, .ended(.duplicate)])
    }

    // MARK: - One start per incarnation

    @Test func `while a start is under way no other is decided`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        let push = order.claims()
        order.happens("courier.waiting", at: 1)
        #expect(order.card()?.reason == .startInFlight)
        #expect(order.intention?.revision == push?.intention.revision)
    }

    @Test func `a start that never left does not count`() throws {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        for _ in 0..<3 {
            order.refuses(try order.claimed(), neverLeft: true)
            order.passes(minutes: 1)
        }
        order.send()
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `an answer that comes after all wins over a lost one`() throws {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        let push = try order.claimed()
        order.loses(push)
        #expect(order.card()?.state == .maybeStarted)
        order.refuses(push)
        #expect(order.card()?.state == ActivityState.none)
        order.passes(minutes: 1)
        order.send()
        #expect(order.sent == ["start on_the_way"])
    }

    @Test func `a start that leaves no trace for a quarter of an hour is out of reach`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send(.lostOnTheWay)
        order.waits(minutes: 14.9)
        #expect(order.card()?.state == .maybeStarted)
        order.waits(minutes: 0.1)
        #expect(order.card()?.state == .unreachable)
    }

    // MARK: - Before the token

    @Test func `a token that takes two minutes is counted as late, once`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.waits(minutes: 1.9)
        #expect(order.card()?.tokenIsLate == false)
        order.waits(minutes: 0.1)
        #expect(order.card()?.tokenIsLate == true)
        #expect(order.card()?.state == .starting)
    }

    @Test func `what was urgent before the token stays urgent when it is replaced`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.happens("delivery.attempt_failed", at: 1)
        #expect(order.intention?.alerts == .attemptFailed)
        order.happens("courier.assigned", at: 6) { $0.courier = .init(id: "1", name: "Ana") }
        #expect(order.intention?.alerts == [])
        #expect(order.intention?.content.courierName == "Ana")
        #expect(order.intention?.priority == 10)
    }

    @Test func `what shows the same keeps its revision`() {
        var order = OneOrder.running()
        order.happens("courier.waiting", at: 1)
        let revision = order.intention?.revision
        order.hears(.other)
        #expect(order.intention?.revision == revision)
    }
}
