import Testing
import Tracking

/// One channel for all phones of an order (engine rule 16).
@Suite struct RuleBroadcastTests {
    /// An order of somebody with these phones, all on iOS 18 unless told otherwise.
    static func order(
        _ systems: [DeviceID: String] = [OneOrder.phone: "18.0", OneOrder.tablet: "18.4"],
        _ change: (inout Policy) -> Void = { _ in }
    ) -> OneOrder {
        var order = OneOrder(phones: [])
        order.world.policy.broadcast = true
        change(&order.world.policy)
        order.world.systems = systems
        for id in systems.keys.sorted(by: { $0.value < $1.value }) { order.world.logIn(id, OneOrder.owner) }
        order.settleRelays()
        return order
    }

    /// On its way, with cards that listen.
    static func listening() -> OneOrder {
        var order = order()
        order.happens("order.on_the_way", at: 0)
        order.sendsAll()
        order.registers()
        order.registers(OneOrder.tablet)
        return order
    }

    // MARK: - Opening

    @Test func `starts wait for the channel and name it`() {
        var order = Self.order()
        order.happens("order.on_the_way", at: 0)
        #expect(order.card()?.reason == .channelOpening)
        #expect(order.channelIntention?.verb == .openChannel)
        let decided = order.world.log.entries[OneOrder.id]?.flatMap(\.outcome.decisions) ?? []
        #expect(decided.filter { $0.kind == .openChannel }.map(\.reason) == [.channelWanted])
        order.send()
        let id = order.stream.channel?.id
        #expect(id != nil && order.world.channels.contains { $0 == id })
        #expect(order.intention?.verb == .start && order.intention?.channel == id)
        order.send()
        #expect(order.card()?.state == .liveOnChannel)
        #expect(order.card(OneOrder.tablet)?.state == .liveOnChannel)
        // The starts have shown everything there is to show.
        #expect(order.channelIntention == nil)
    }

    @Test(arguments: ["17.5", "", "17.9.1"]) func `an older system gets a token`(version: String) {
        var order = Self.order([OneOrder.phone: version])
        order.happens("order.on_the_way", at: 0)
        #expect(order.stream.channel == nil)
        #expect(order.intention?.verb == .start && order.intention?.channel == nil)
    }

    @Test func `nothing is broadcast where the policy does not say so`() {
        var order = Self.order { $0.broadcast = false }
        order.happens("order.on_the_way", at: 0)
        order.send()
        #expect(order.stream.channel == nil)
        #expect(order.card()?.state == .starting)
    }

    @Test func `a phone of another build has a token of its own`() {
        var order = Self.order([OneOrder.phone: "18.0"])
        order.happens("order.on_the_way", at: 0)
        order.sendsAll()
        order.world.systems[OneOrder.tablet] = "18.0"
        order.world.builds[OneOrder.tablet] = "2"
        order.world.logIn(OneOrder.tablet, OneOrder.owner)
        order.settleRelays()
        order.send()
        #expect(order.card()?.state == .liveOnChannel)
        #expect(order.card(OneOrder.tablet)?.state == .starting)
    }

    @Test func `where APNs gives no channel cards start with tokens`() throws {
        var order = Self.order([OneOrder.phone: "18.0"])
        order.happens("order.on_the_way", at: 0)
        order.refuses(try order.claimed(), .drop)
        #expect(order.stream.channel?.state == .failed)
        #expect(order.intention?.verb == .start && order.intention?.channel == nil)
    }

    @Test func `a channel is asked for three times`() throws {
        var order = Self.order([OneOrder.phone: "18.0"])
        order.happens("order.on_the_way", at: 0)
        for attempt in 1...3 {
            #expect(order.stream.channel?.state == .opening, "attempt \(attempt)")
            order.refuses(try order.claimed(), .retry)
            order.passes(minutes: 1)
        }
        #expect(order.stream.channel?.state == .failed)
    }

    // MARK: - Telling

    @Test func `what happens is told once for all`() {
        var order = Self.listening()
        order.happens("courier.waiting", at: 5)
        #expect(order.channelIntention?.verb == .update)
        #expect(order.channelIntention?.alerts == .courierWaiting)
        #expect(order.channelIntention?.settings.locale == nil)
        #expect(order.card()?.intention == nil)
        #expect(order.card()?.reason == .toldByChannel)
        order.send()
        #expect(order.sent.suffix(1) == ["update courier_waiting"])
        for phone in [OneOrder.phone, OneOrder.tablet] {
            #expect(order.onScreen(phone).map(\.phase) == [.courierWaiting])
            #expect(order.card(phone)?.shown?.phase == .courierWaiting)
        }
        #expect(order.channelIntention == nil)
    }

    @Test func `a phone that joins with older news makes all hear the newest`() throws {
        var order = Self.order()
        order.happens("order.on_the_way", at: 0)
        order.send()
        let late = try order.claimed()
        #expect(late.intention.content.phase == .onTheWay)
        order.world.pushes = []
        order.happens("courier.waiting", at: 1)
        order.send()
        #expect(order.sent == ["start courier_waiting"])
        order.world.pushes = [late]
        _ = order.world.answer([.accepted])
        #expect(order.channelIntention?.reason == .phoneJoined)
        order.send()
        for phone in [OneOrder.phone, OneOrder.tablet] {
            #expect(order.onScreen(phone).last?.phase == .courierWaiting)
        }
    }

    @Test func `a card that the app starts itself meanwhile is not taken for one that has heard`() throws {
        var order = Self.order()
        order.happens("order.on_the_way", at: 0)
        order.send()
        _ = order.claims()
        let first = order.world.pushes[0].device
        order.loses(order.world.pushes[0])
        // What is owed to the first reaches nobody else, and the other's app is faster than its start.
        let other = first == OneOrder.phone ? OneOrder.tablet : OneOrder.phone
        let update = try #require(order.channelIntention)
        order.hears(
            .pushAccepted(.init(update, device: Channel.device, incarnation: Channel.incarnation, at: minute(0)))
        )
        order.world.startInApp(other, OneOrder.id)
        order.registers(other)
        #expect(order.card(other)?.state == .live)
        #expect(order.card(other)?.intention?.verb == .update)
    }

    @Test func `a start without an answer is told too, in case it arrived`() throws {
        var order = Self.order([OneOrder.phone: "18.0"])
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.loses(try order.claimed())
        #expect(order.card()?.state == .maybeStarted)
        #expect(order.channelIntention?.verb == .update)
        #expect(order.channelIntention?.reason == .phoneJoined)
        order.happens("order.delivered", at: 5)
        order.sendsAll()
        #expect(order.card()?.state == .ended(.delivered))
    }

    @Test func `a start without an answer beside others makes all hear the newest`() throws {
        var order = Self.order()
        order.happens("order.on_the_way", at: 0)
        order.send()
        _ = order.claims()
        _ = order.world.answer([.accepted])
        #expect(order.channelIntention == nil)
        order.loses(try order.claimed())
        #expect(order.channelIntention?.reason == .phoneJoined)
    }

    @Test func `a channel that APNs knows no more leaves its cards out of reach`() {
        var order = Self.listening()
        order.world.channels = []
        order.happens("courier.waiting", at: 5)
        order.send()
        #expect(order.stream.channel?.state == .closed)
        #expect(order.card()?.state == .unreachable)
        #expect(order.card()?.channel == nil)
    }

    @Test func `a promise that is broken is told on the channel`() {
        var order = Self.listening()
        order.waits(minutes: 81)
        #expect(order.channelIntention?.content.isStale == true)
        #expect(order.channelIntention?.reason == .promiseBroken)
    }
}

extension PushAccepted {
    fileprivate init(_ intention: Intention, device: DeviceID, incarnation: Int, at now: Instant) {
        self.init(
            device: device,
            incarnation: incarnation,
            verb: intention.verb,
            revision: intention.revision,
            priority: intention.priority,
            alerts: intention.alerts,
            shown: Shown(
                intention.content,
                orderRevision: intention.orderRevision,
                stamp: now.seconds + 1,
                at: now,
                staleAt: now + intention.staleAfter
            )
        )
    }
}

extension OneOrder {
    /// What is wanted of the channel.
    var channelIntention: Intention? { stream.channel?.card.intention }

    /// The channel first, then the starts that waited for it.
    mutating func sendsAll() { for _ in 0..<3 { send() } }
}
