import Testing
import Tracking

/// How cards on a channel end, and the channel after them.
extension RuleBroadcastTests {
    @Test func `the end on the channel ends every card, and four hours later the channel is deleted`() {
        var order = Self.listening()
        order.happens("order.delivered", at: 10)
        #expect(order.channelIntention?.verb == .end)
        order.send()
        #expect(order.card()?.state == .ended(.delivered))
        #expect(order.card(OneOrder.tablet)?.state == .ended(.delivered))
        #expect(order.stream.closed)
        let closing = order.channelIntention
        #expect(closing?.verb == .closeChannel)
        #expect(closing?.dueAt == minute(10 + 240))
        order.waits(minutes: 241)
        order.send()
        #expect(order.stream.channel?.state == .closed)
        #expect(order.world.channels.isEmpty)
        #expect(order.channelIntention == nil)
    }

    @Test func `a swipe ends one card, not the channel`() {
        var order = Self.listening()
        order.hears(.reported(CardReport(activity: order.onScreen()[0].id, state: .dismissed, sequence: 99)))
        #expect(order.card()?.state == .dismissed)
        order.happens("courier.waiting", at: 5)
        order.send()
        #expect(order.card(OneOrder.tablet)?.shown?.phase == .courierWaiting)
        #expect(order.card()?.shown?.phase == .onTheWay)
    }

    @Test func `the last owner who leaves takes the channel along`() {
        var order = Self.listening()
        order.world.logOut(OneOrder.tablet)
        order.settleRelays()
        #expect(order.card(OneOrder.tablet)?.mustEnd == .owner)
        #expect(order.card(OneOrder.tablet)?.reason == .ownerChanged)
        #expect(order.channelIntention == nil)
        order.world.logOut(OneOrder.phone)
        order.settleRelays()
        #expect(order.channelIntention?.verb == .end)
        #expect(order.channelIntention?.dismissAfter == .zero)
        order.send()
        #expect(order.card()?.state == .ended(.owner))
        #expect(order.card(OneOrder.tablet)?.state == .ended(.owner))
    }

    @Test func `who leaves while others listen is told by the answer to the app's list`() throws {
        var order = Self.listening()
        order.world.logOut(OneOrder.tablet)
        order.settleRelays()
        let card = try #require(order.card(OneOrder.tablet))
        #expect(order.stream.isToEnd(card))
        #expect(order.stream.wasLeft(by: OneOrder.tablet))
        #expect(!order.stream.isToEnd(try #require(order.card())))
        #expect(!order.stream.wasLeft(by: OneOrder.phone))
        order.hears(.reported(CardReport(activity: order.onScreen(OneOrder.tablet)[0].id, state: .ended, sequence: 99)))
        #expect(order.card(OneOrder.tablet)?.state == .ended(.owner))
    }

    @Test func `an end that the app reports before APNs answers is still the order's`() {
        var order = Self.listening()
        order.happens("order.delivered", at: 10)
        _ = order.claims()
        order.hears(.reported(CardReport(activity: order.onScreen()[0].id, state: .ended, sequence: 99)))
        #expect(order.card()?.state == .ended(.delivered))
        order.passes(minutes: 2)
        order.hears(.cardsListed(OneOrder.tablet, cards: []))
        #expect(order.card(OneOrder.tablet)?.state == .ended(.delivered))
        order.send()
        #expect(order.card()?.shown?.phase == .delivered)
    }

    @Test func `an owner who left before the order's end does not change why it ended`() {
        var order = Self.listening()
        order.world.logOut(OneOrder.tablet)
        order.settleRelays()
        order.happens("order.delivered", at: 10)
        _ = order.claims()
        order.hears(.reported(CardReport(activity: order.onScreen()[0].id, state: .ended, sequence: 99)))
        #expect(order.channelIntention?.reason == .orderDelivered)
        while order.world.answer([.accepted]) {}
        #expect(order.stream.channel?.card.state == .ended(.delivered))
    }

    @Test func `a card that was gone before the end is not taken for one that heard it`() {
        var order = Self.listening()
        order.passes(minutes: 2)
        order.hears(.cardsListed(OneOrder.tablet, cards: []))
        order.happens("order.delivered", at: 10)
        order.send()
        #expect(order.card()?.state == .ended(.delivered))
        #expect(order.card(OneOrder.tablet)?.state == .ended(.unknown))
    }

    @Test func `a card that started while an end was on its way has not heard it`() throws {
        let third = DeviceID("third")
        var order = Self.listening()
        order.happens("order.delivered", at: 10)
        let end = try order.claimed()
        order.happens("order.reopened", at: 12)
        order.happens("order.on_the_way", at: 13)
        order.world.systems[third] = "18.0"
        order.world.logIn(third, OneOrder.owner)
        order.settleRelays()
        let start = try order.claimed()
        #expect(start.device == third)
        for push in [start, end] {
            order.world.pushes = [push]
            _ = order.world.answer([.accepted])
        }
        #expect(order.onScreen().map(\.hasEnded) == [true])
        #expect(order.card(third)?.state == .liveOnChannel)
        order.happens("order.delivered", at: 20)
        order.sendsAll()
        #expect(order.card(third)?.state == .ended(.delivered))
        #expect(order.onScreen(third).map(\.hasEnded) == [true])
    }

    @Test func `a card that started while something was on its way is told it again`() throws {
        let third = DeviceID("third")
        var order = Self.listening()
        order.happens("courier.waiting", at: 5)
        let update = try order.claimed()
        order.passes(minutes: 1)
        order.world.systems[third] = "18.0"
        order.world.logIn(third, OneOrder.owner)
        order.settleRelays()
        let start = try order.claimed()
        for push in [start, update] {
            order.world.pushes = [push]
            _ = order.world.answer([.accepted])
        }
        #expect(order.card(third)?.shown?.stamp == start.stamp)
        #expect(order.channelIntention?.reason == .phoneJoined)
    }

    @Test func `a card whose channel is gone is ended by its app when the order is over`() throws {
        var order = Self.listening()
        order.world.channels = []
        order.happens("order.delivered", at: 5)
        order.send()
        let card = try #require(order.card())
        #expect(card.state == .unreachable)
        #expect(order.stream.isToEnd(card))
    }

    @Test func `the order's deadline ends all cards on the channel`() {
        var order = Self.listening()
        order.waits(minutes: 181)
        #expect(order.channelIntention?.verb == .end)
        #expect(order.channelIntention?.reason == .deadlinePassed)
    }

    @Test func `an order that is reopened uses its channel again, or gets another`() {
        var order = Self.listening()
        let first = order.stream.channel?.id
        order.happens("order.delivered", at: 10)
        order.send()
        order.happens("order.reopened", at: 12)
        order.happens("order.on_the_way", at: 13)
        order.sendsAll()
        #expect(order.stream.channel?.id == first)
        #expect(order.card()?.incarnation == 2 && order.card()?.state == .liveOnChannel)
        order.happens("order.delivered", at: 20)
        order.sendsAll()
        order.waits(minutes: 241)
        order.send()
        order.happens("order.reopened", at: 262)
        order.happens("order.on_the_way", at: 263)
        order.sendsAll()
        #expect(order.stream.channel?.id != nil && order.stream.channel?.id != first)
        #expect(order.card()?.state == .liveOnChannel)
    }

    @Test func `the channel is stored with its order`() throws {
        var order = Self.listening()
        order.happens("courier.waiting", at: 5)
        let stream = order.stream
        let cards = try stream.activities.map {
            try Activity(device: $0.device, incarnation: $0.incarnation, stored: $0.stored)
        }
        #expect(try OrderStream(id: stream.id, stored: stream.stored, activities: cards) == stream)
    }
}
