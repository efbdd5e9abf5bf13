import Testing
import Tracking

/// One order of one person with one phone or more, told step by step. Everything arrives unless the test says otherwise.
struct OneOrder {
    static let id = OrderID("1001")
    static let owner = CustomerID("ana")
    static let phone = DeviceID("phone")
    static let tablet = DeviceID("tablet")

    var world = World(seed: 1)

    init(phones: [DeviceID] = [phone]) {
        for id in phones { world.logIn(id, Self.owner) }
        settleRelays()
    }

    // MARK: - Given and when

    mutating func happens(_ word: String, at time: Double, _ fill: (inout PartnerData) -> Void = { _ in }) {
        world.now = max(world.now, minute(time))
        world.tell(
            Self.id,
            .partner(
                event(word, at: time) {
                    $0.customer = Self.owner
                    fill(&$0)
                }
            )
        )
        settleRelays()
    }

    mutating func settleRelays() { while world.deliver() {} }

    /// Sends what is due; each push meets that fate.
    mutating func send(_ fate: World.Fate = .accepted) {
        while world.claim() {}
        while world.answer([fate]) {}
        settleRelays()
    }

    /// The one push that is due, claimed and under way.
    mutating func claims() -> Push? {
        _ = world.claim()
        return world.pushes.last
    }

    /// APNs refuses what is under way for good.
    mutating func refusesForGood(_ push: Push) {
        world.pushes.removeAll()
        world.tell(Self.id, .pushRefused(world.refusal(push, .drop, since: nil)))
        settleRelays()
    }

    mutating func registers(_ id: DeviceID = phone) {
        while world.registerCard(id) {}
        settleRelays()
    }

    mutating func passes(minutes: Double) { world.now = world.now + .milliseconds(Int64(minutes * 60_000)) }

    /// On its way, with a running card that has its token.
    static func running() -> OneOrder {
        var order = OneOrder()
        order.happens("order.on_the_way", at: 0)
        order.send()
        order.registers()
        order.send()
        return order
    }

    // MARK: - Expect

    func card(_ device: DeviceID = phone) -> Activity? {
        world.orders[Self.id]?.activities.last { $0.device == device }
    }

    func onScreen(_ device: DeviceID = phone) -> [Phone.Card] { world.phones[device]?.cards ?? [] }

    /// What APNs accepted so far.
    var sent: [String] { world.record.accepted.map { "\($0.intention.verb.name) \($0.intention.content.phase.name)" } }

    /// What was accepted for one device.
    func sent(to device: DeviceID) -> [Verb] {
        world.record.accepted.filter { $0.device == device }.map(\.intention.verb)
    }
}
