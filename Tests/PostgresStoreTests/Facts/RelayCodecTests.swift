import JSONText
import PostgresStore
import Testing
import Tracking

/// Messages between streams: what one stream tells is what the other hears.
struct RelayCodecTests {
    static let snapshot: DeviceSnapshot = {
        var settings = DeviceSettings()
        settings.environment = .sandbox
        settings.attributesType = "DoorstepAttributes"
        settings.locale = "pl-PL"
        settings.timeZone = "Europe/Warsaw"
        settings.osVersion = "18.2"
        settings.appBuild = "4711"
        settings.activitiesEnabled = false
        settings.frequentPushes = true
        settings.notificationsAllowed = true
        return DeviceSnapshot(
            device: DeviceID("d\"1\u{E9}"),
            customer: CustomerID("ann"),
            generation: 3,
            hasStartToken: true,
            hasDeviceToken: true,
            settings: settings
        )
    }()

    static let bare = DeviceSnapshot(
        device: DeviceID("d2"),
        customer: CustomerID(""),
        generation: 0,
        hasStartToken: false,
        settings: DeviceSettings()
    )

    private static let moment = Instant(microseconds: 1_700_000_000_123_456)

    @Test(arguments: [
        Relay.OrderMessage.linkAnswered(CustomerID("ann"), devices: [snapshot, bare]),
        .linkAnswered(CustomerID("ann"), devices: []), .deviceAvailable(snapshot), .deviceGone(DeviceID("d1")),
        .startGranted(DeviceID("d1"), incarnation: 2, from: nil),
        .startGranted(DeviceID("d1"), incarnation: 2, from: moment), .farewellAtRisk(DeviceID("d1"), incarnation: 3),
        .startRefused(DeviceID("d1"), incarnation: 1, until: nil),
        .startRefused(DeviceID("d1"), incarnation: 1, until: moment), .startFree(DeviceID("d1")),
        .cardsListed(
            DeviceID("d1"),
            cards: [
                ListedCard(activity: ActivityID("a1"), incarnation: nil, state: .active),
                ListedCard(activity: ActivityID("a2"), incarnation: 2, state: .dismissed),
            ]
        ),
        .cardsListed(DeviceID("d1"), cards: []), .tokenLost(TokenID("us.01"), claim: 7),
    ])
    func `an order hears what it was told`(_ message: Relay.OrderMessage) throws {
        let stored = RelayCodec.store(.toOrder(OrderID("o/1"), message))
        #expect(stored.kind == .order)
        #expect(stored.stream == "o/1")
        #expect(try orderFact(stored.type, stored.body) == fact(message))
    }

    private func fact(_ message: Relay.OrderMessage) -> OrderStreamFact {
        switch message {
        case .linkAnswered(let customer, let devices): .linkAnswered(customer, devices: devices)
        case .deviceAvailable(let snapshot): .deviceAvailable(snapshot)
        case .deviceGone(let device): .deviceGone(device)
        case .startGranted(let device, let incarnation, let from):
            .startGranted(device, incarnation: incarnation, from: from)
        case .startRefused(let device, let incarnation, let until):
            .startRefused(device, incarnation: incarnation, until: until)
        case .startFree(let device): .startFree(device)
        case .farewellAtRisk(let device, let incarnation): .farewellAtRisk(device, incarnation: incarnation)
        case .cardsListed(let device, let cards): .cardsListed(device, cards: cards)
        case .tokenLost(let token, let claim): .tokenLost(token, claim: claim)
        }
    }

    @Test(arguments: [
        Relay.DeviceMessage.startRequested(OrderID("o"), incarnation: 1),
        .startAnswered(OrderID("o"), incarnation: 1, result: .accepted, deadSince: nil),
        .startAnswered(OrderID("o"), incarnation: 1, result: .tokenDead, deadSince: moment),
        .startAnswered(OrderID("o"), incarnation: 1, result: .lost, deadSince: nil),
        .startAnswered(OrderID("o"), incarnation: 1, result: .refused, deadSince: nil),
        .cardLive(OrderID("o"), incarnation: 3), .cardEnded(OrderID("o"), incarnation: 4),
        .tokenLost(TokenID("ss.01"), claim: 7, to: DeviceID("d2")), .tokenLost(TokenID("ss.01"), claim: 7, to: nil),
        .ledgerMoved(
            StartLedger(starts: [moment, moment + .seconds(1)], lastStartAt: moment, unanswered: 2, steps: 3)
        ),
        .ledgerMoved(StartLedger(starts: [], lastStartAt: nil, unanswered: 0)), .deviceTokenDied(since: nil),
        .deviceTokenDied(since: moment),
    ])
    func `a device hears what it was told`(_ message: Relay.DeviceMessage) throws {
        let stored = RelayCodec.store(.toDevice(DeviceID("d"), message))
        #expect(stored.kind == .device)
        #expect(stored.stream == "d")
        #expect(try DeviceFactCodec.fact(type: stored.type, body: stored.body) == .message(message))
    }

    @Test(arguments: [
        Relay.CustomerMessage.linkOpened(OrderID("o")), .linkClosed(OrderID("o")), .deviceJoined(snapshot),
        .deviceChanged(bare), .deviceLeft(DeviceID("d")),
    ])
    func `a customer hears what it was told`(_ message: Relay.CustomerMessage) throws {
        let stored = RelayCodec.store(.toCustomer(CustomerID("ann"), message))
        #expect(stored.kind == .customer)
        #expect(stored.stream == "ann")
        #expect(try CustomerFactCodec.message(type: stored.type, body: stored.body) == message)
    }

    private static let phone = TokenHolder(device: DeviceID("d"))
    private static let card = TokenHolder(device: DeviceID("d"), order: OrderID("o"))

    @Test(arguments: [
        Relay.TokenMessage.claimed(phone, claim: 1, observedAt: moment), .claimed(card, claim: 2, observedAt: moment),
        .released(phone, claim: 1), .released(card, claim: 2), .died(card, claim: 2, since: moment),
    ])
    func `a token hears what it was told`(_ message: Relay.TokenMessage) throws {
        let stored = RelayCodec.store(.toToken(TokenID("sp.01"), message))
        #expect(stored.kind == .token)
        #expect(stored.stream == "sp.01")
        #expect(try TokenFactCodec.message(type: stored.type, body: stored.body) == message)
    }

    @Test func `facts of a later release are kept without effect`() throws {
        #expect(try orderFact("order.teleported", Array("{}".utf8)) == .other)
        #expect(try DeviceFactCodec.fact(type: "device.teleported", body: Array("{}".utf8)) == .other)
        #expect(try CustomerFactCodec.message(type: "customer.teleported", body: Array("{}".utf8)) == nil)
        #expect(try TokenFactCodec.message(type: "token.teleported", body: Array("{}".utf8)) == nil)
    }
}
