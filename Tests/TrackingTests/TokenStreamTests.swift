import Testing
import Tracking

/// Who holds a token value (engine rules, section 3 and rule 10).
@Suite struct TokenStreamTests {
    private static let token = TokenID("ss.01")
    private static let old = TokenHolder(device: DeviceID("old"))
    private static let new = TokenHolder(device: DeviceID("new"))

    private static func held(observedAt: Instant = noon) -> TokenStream {
        var stream = TokenStream(id: token)
        #expect(stream.handle(.claimed(old, claim: 1, observedAt: observedAt)).isEmpty)
        return stream
    }

    @Test func `a value that another device registers is taken from the first`() {
        var stream = Self.held()
        let relays = stream.handle(.claimed(Self.new, claim: 4, observedAt: noon))
        #expect(relays == [.toDevice(Self.old.device, .tokenLost(Self.token, claim: 1, to: Self.new.device))])
        #expect(stream.state == .owned(.init(holder: Self.new, claim: 4)))
    }

    @Test func `the same device may register its value again`() {
        var stream = Self.held()
        #expect(stream.handle(.claimed(Self.old, claim: 2, observedAt: noon)).isEmpty)
        #expect(stream.state == .owned(.init(holder: Self.old, claim: 2)))
    }

    // P34
    @Test func `what is said of an older claim changes nothing`() {
        var stream = Self.held()
        _ = stream.handle(.claimed(Self.old, claim: 2, observedAt: noon))
        let before = stream
        #expect(stream.handle(.released(Self.old, claim: 1)).isEmpty)
        #expect(stream.handle(.died(Self.old, claim: 1, since: minute(5))).isEmpty)
        #expect(stream == before)
    }

    // P37
    @Test(arguments: [(4.0, false), (5, false), (6, true)])
    func `a dead value lives again only for an app that observed it later`(observedAt: Double, lives: Bool) {
        var stream = Self.held()
        _ = stream.handle(.died(Self.old, claim: 1, since: minute(5)))
        _ = stream.handle(.released(Self.old, claim: 1))
        let relays = stream.handle(.claimed(Self.new, claim: 9, observedAt: minute(observedAt)))
        let refusal = Relay.toDevice(Self.new.device, .tokenLost(Self.token, claim: 9, to: nil))
        #expect(relays == (lives ? [] : [refusal]))
        #expect(stream.state == (lives ? .owned(.init(holder: Self.new, claim: 9)) : stream.state))
        if case .dead = stream.state { #expect(!lives) } else { #expect(lives) }
    }

    @Test func `a card hears of its loss through its order`() {
        let card = TokenHolder(device: DeviceID("phone"), order: OrderID("1"))
        let other = TokenHolder(device: DeviceID("phone"), order: OrderID("2"))
        var stream = TokenStream(id: TokenID("us.01"))
        _ = stream.handle(.claimed(card, claim: 7, observedAt: noon))
        let relays = stream.handle(.claimed(other, claim: 3, observedAt: noon))
        #expect(relays == [.toOrder(OrderID("1"), .tokenLost(stream.id, claim: 7))])
    }
}
