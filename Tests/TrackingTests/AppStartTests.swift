import Testing
import Tracking

/// What an app hears that asks whether it may start a card itself (rule 1).
@Suite struct AppStartTests {
    private func verdict(_ order: OneOrder) -> AppStart? {
        order.world.orders[OneOrder.id]?.appStart(on: OneOrder.phone)
    }

    @Test func `nobody knows the order or the device yet: it may start the first card`() {
        #expect(OrderStream(id: OneOrder.id).appStart(on: OneOrder.phone) == .start(incarnation: 1))
    }

    @Test func `a card that runs is to be adopted`() throws {
        let order = OneOrder.running()
        let card = try #require(order.card())
        #expect(verdict(order) == .adopt(incarnation: 1, activity: card.activityID, state: .live))
    }

    @Test func `an order that is over is not started`() {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 9)
        order.send()
        #expect(verdict(order) == .no(.finishedBeforeStart))
    }

    @Test func `after the person swiped a card away there is none`() throws {
        var order = OneOrder.running()
        let activity = try #require(order.card()?.activityID)
        order.hears(.reported(CardReport(activity: activity, state: .dismissed, sequence: nil)))
        #expect(verdict(order) == .no(.dismissed))
    }

    @Test func `an ended incarnation is never named`() throws {
        var order = OneOrder.running()
        order.happens("order.delivered", at: 9)
        order.send()
        order.happens("order.reopened", at: 10) { $0.phase = .onTheWay }
        guard case .start(let incarnation)? = verdict(order) else {
            Issue.record("\(String(describing: verdict(order)))")
            return
        }
        #expect(incarnation == 2)
    }

    @Test func `a scheduled card takes a place and keeps pushes from starting one`() {
        var order = OneOrder()
        order.happens("order.placed", at: 0)
        order.hears(.scheduled(OneOrder.phone))
        #expect(order.card()?.state == .localOnly)
        #expect(order.world.devices[OneOrder.phone]?.places.map(\.order) == [OneOrder.id])
        order.happens("order.on_the_way", at: 5)
        order.send()
        #expect(order.sent.isEmpty)
        #expect(verdict(order) == .adopt(incarnation: 1, activity: nil, state: .localOnly))
    }

    @Test func `a scheduled card that the app registers is the one that was announced`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.hears(.scheduled(OneOrder.tablet))
        order.hears(.cardsListed(OneOrder.tablet, cards: []))
        order.hears(
            .registered(
                CardRegistration(
                    device: OneOrder.tablet,
                    activity: ActivityID("a1"),
                    hasToken: true,
                    origin: .app,
                    startedAt: nil,
                    observedAt: order.world.now,
                    incarnation: nil,
                    sequence: nil
                )
            )
        )
        #expect(order.card(OneOrder.tablet)?.state == .live)
        #expect(order.world.orders[OneOrder.id]?.activities.count { $0.device == OneOrder.tablet } == 1)
    }

    /// The app's own card of a device.
    private func card(_ activity: String, of device: DeviceID, token: String? = nil) -> OrderStreamFact {
        .registered(
            CardRegistration(
                device: device,
                activity: ActivityID(activity),
                hasToken: true,
                token: token.map { TokenID($0) },
                origin: .app,
                startedAt: nil,
                observedAt: minute(0),
                incarnation: nil,
                sequence: nil
            )
        )
    }

    @Test func `the card of a phone that is not the customer's is told nothing until it is`() {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.hears(card("own", of: OneOrder.tablet))
        #expect(order.card(OneOrder.tablet)?.state == .live)
        #expect(order.card(OneOrder.tablet)?.intention == nil)
        #expect(order.card(OneOrder.tablet)?.reason == .noDevice)
        #expect(!order.stream.concerns(OneOrder.tablet))
        order.world.logIn(OneOrder.tablet, OneOrder.owner)
        order.settleRelays()
        #expect(order.card(OneOrder.tablet)?.intention?.verb == .update)
        #expect(order.card(OneOrder.tablet)?.intention?.settings.environment == .sandbox)
        #expect(order.stream.concerns(OneOrder.tablet))
    }

    @Test func `a device that names another's card changes nothing`() throws {
        var order = OneOrder.running()
        let card = try #require(order.card())
        let activity = try #require(card.activityID).value
        order.hears(self.card(activity, of: OneOrder.tablet, token: "other"))
        #expect(order.card()?.tokenGeneration == card.tokenGeneration)
        #expect(order.card()?.updateToken == card.updateToken)
        #expect(order.card(OneOrder.tablet) == nil)
    }
}
