import Testing
import Tracking

/// Update tokens that are registered twice, or are dead (engine rules, section 3 and rule 10).
@Suite struct CardTokenTests {
    private static let token = TokenID("us.01")

    /// A running card that registered a token by name.
    private static func running() throws -> (order: OneOrder, claim: Int) {
        var order = OneOrder.running()
        try register(&order)
        let held = try #require(order.card()?.updateToken)
        #expect(held.id == token)
        return (order, held.claim)
    }

    private static func register(_ order: inout OneOrder) throws {
        let activity = try #require(order.card()?.activityID)
        order.hears(
            .registered(
                CardRegistration(
                    device: OneOrder.phone,
                    activity: activity,
                    hasToken: true,
                    token: token,
                    origin: .server,
                    startedAt: nil,
                    observedAt: order.world.now,
                    incarnation: nil,
                    sequence: nil
                )
            )
        )
    }

    @Test func `a card whose token another card registers is out of reach`() throws {
        var (order, claim) = try Self.running()
        let other = TokenHolder(device: OneOrder.tablet, order: OrderID("2"))
        let relays = order.world.tokens[Self.token]?
            .handle(.claimed(other, claim: 1, observedAt: order.world.now))
        #expect(relays == [.toOrder(OneOrder.id, .tokenLost(Self.token, claim: claim))])
        order.hears(.tokenLost(Self.token, claim: claim))
        #expect(order.card()?.state == .unreachable)
        order.happens("courier.waiting", at: 5)
        #expect(order.card()?.intention?.dueAt == nil)
        #expect(order.world.tokens[Self.token]?.state == .owned(.init(holder: other, claim: 1)))
    }

    // P34
    @Test func `the loss of an older claim does not touch a newer one`() throws {
        var (order, claim) = try Self.running()
        order.passes(minutes: 1)
        try Self.register(&order)
        order.hears(.tokenLost(Self.token, claim: claim))
        #expect(order.card()?.state == .live)
    }

    // P35
    @Test func `the token's stream learns of its death, and not of an older token's`() throws {
        var (order, claim) = try Self.running()
        let card = try #require(order.card())
        let holder = TokenHolder(device: OneOrder.phone, order: OneOrder.id)
        func refusal(_ generation: Int) -> OrderStreamFact {
            .pushRefused(
                PushRefused(
                    device: OneOrder.phone,
                    incarnation: 1,
                    verb: .update,
                    revision: 99,
                    generation: generation,
                    stamp: 1,
                    remedy: .forgetToken,
                    neverLeft: false,
                    deadSince: order.world.now + .seconds(1),
                    digest: 0
                )
            )
        }
        let (older, present) = (refusal(card.tokenGeneration - 1), refusal(card.tokenGeneration))
        order.hears(older)
        #expect(order.world.tokens[Self.token]?.state == .owned(.init(holder: holder, claim: claim)))
        order.hears(present)
        #expect(order.card()?.state == .unreachable)
        let since = order.world.now + .seconds(1)
        #expect(
            order.world.tokens[Self.token]?.state == .dead(.init(holder: holder, claim: claim), since: since)
        )
    }

    @Test func `a card that is over lets its token go`() throws {
        var (order, _) = try Self.running()
        order.happens("order.delivered", at: 9)
        order.send()
        #expect(order.card()?.state.isOver == true)
        #expect(order.world.tokens[Self.token]?.state == .free)
    }
}
