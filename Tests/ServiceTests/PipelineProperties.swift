import JSONText
import Runtime
import Service
import TestSupport
import Testing
import Tracking

/// What holds for every order on every phone, whatever the network does: seeded runs with faults.
@Suite(.enabled(if: TestDatabase.isAvailable))
struct PipelineProperties {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `every phone ends up showing its order, whatever was lost on the way`(_ seed: UInt64) async throws {
        try await Installation.with { installation in
            let phones = PhoneGateway(seed: seed, faultsInHundred: 30)
            try await Node.with(installation, gateway: phones) { node in
                var run = PhoneRun(node: node, phones: phones, seed: seed)
                try await run.play()
                try await run.comeToRest()
                try await run.check()
                #expect(node.troubles.all.isEmpty)
            }
        }
    }

    /// Two processes share the work, and one of them leaves in the middle.
    @Test(arguments: 11...13 as ClosedRange<UInt64>)
    func `a process that leaves hands over its lanes and nothing is shown twice`(_ seed: UInt64) async throws {
        try await Installation.with { installation in
            let phones = PhoneGateway(seed: seed, faultsInHundred: 20)
            try await Node.with(installation, gateway: phones) { staying in
                let start = PhoneRun(node: staying, phones: phones, seed: seed)
                var run = try await Node.with(installation, gateway: phones) { _ in
                    var run = start
                    try await run.play(half: 0)
                    return run
                }
                try await run.play(half: 1)
                try await run.comeToRest()
                try await run.check()
            }
        }
    }
}

/// Orders of two customers, with two phones each, told to a node in a random order with repeats.
struct PhoneRun: Sendable {
    let node: Node
    let phones: PhoneGateway
    private let facts: Directory
    private var numbers: SplitMix64
    private let orders: [String]
    private let devices: [String: String]
    private var events: [NewFact]
    private var sequence: Int64 = 10

    init(node: Node, phones: PhoneGateway, seed: UInt64) {
        self.node = node
        self.phones = phones
        facts = node.directory
        numbers = SplitMix64(seed: seed &* 31)
        orders = (1...4).map { "o\($0)" }
        devices = ["phone-ann": "ann", "tablet-ann": "ann", "phone-bob": "bob"]
        events = []
        for order in orders {
            let story = Self.story(order, facts, &numbers)
            events += story + story.filter { _ in Int.random(in: 0..<4, using: &numbers) == 0 }
        }
        events.shuffle(using: &numbers)
    }

    private static func story(_ order: String, _ facts: Directory, _ numbers: inout SplitMix64) -> [NewFact] {
        let customer = Bool.random(using: &numbers) ? "ann" : "bob"
        var story = [
            facts.event(order, "order.placed", at: 0, data: ["customer": .string(customer)]),
            facts.event(order, "order.accepted", at: 2),
            facts.event(order, "order.on_the_way", at: 10, data: ["courier": ["id": "c", "name": "Kim"]]),
        ]
        for step in 0..<Int64.random(in: 0...3, using: &numbers) {
            let eta = RFC3339.format(noon + (30 + 2 * step) * minute)
            story.append(facts.event(order, "eta.changed", at: 12 + step, data: ["eta": .string(eta)]))
        }
        if Bool.random(using: &numbers) { story.append(facts.event(order, "courier.waiting", at: 25)) }
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: story.append(facts.event(order, "order.cancelled", at: 30))
        case 1: break
        default: story.append(facts.event(order, "order.delivered", at: 30))
        }
        return story
    }

    /// Tells all events, or one half of them, while apps hand over tokens and iOS replaces them.
    mutating func play(half: Int? = nil) async throws {
        if half != 1 {
            for (device, customer) in devices.sorted(by: { $0.key < $1.key }) {
                _ = await node.appender.append([
                    try facts.device(device, of: customer, startToken: "aa0\(device.count)", sequence: 1)
                ])
            }
        }
        let middle = events.count / 2
        let told = half.map { $0 == 0 ? events[..<middle] : events[middle...] } ?? events[...]
        for event in told {
            for outcome in await node.appender.append([event]) { #expect(outcome.position != nil) }
            try await node.settlements.loop.sleep(for: .milliseconds(Int.random(in: 0...6, using: &numbers)))
            guard let card = phones.cards.randomElement(using: &numbers) else { continue }
            if Int.random(in: 0..<3, using: &numbers) == 0 { try await handOver(card.activity) }
            if Int.random(in: 0..<8, using: &numbers) == 0 { phones.rotate(card.activity, at: node.clock.now) }
        }
    }

    private mutating func handOver(_ activity: String) async throws {
        guard let card = phones.register(activity) else { return }
        sequence += 1
        _ = await node.appender.append([
            try facts.card(
                card.order,
                card.device,
                activity: card.activity,
                token: card.token,
                incarnation: card.incarnation,
                sequence: sequence,
                observedAt: node.clock.now
            )
        ])
    }

    /// The network works again and every app is opened, until nothing happens any more.
    mutating func comeToRest() async throws {
        phones.stopFaults()
        var sent = -1
        while sent != phones.sent {
            sent = phones.sent
            try await node.settle(orders)
            for card in phones.cards { try await handOver(card.activity) }
            try await node.settle(orders)
            for device in devices.keys.sorted() {
                let cards = phones.list(device)
                sequence += 1
                _ = await node.appender.append([
                    facts.running(device, cards.map { ($0.order, $0.activity, $0.incarnation) }, sequence: sequence)
                ])
            }
            // Through the device's lane to the orders' and back.
            try await node.settlements.loop.sleep(for: .milliseconds(300))
            try await node.settle(orders)
        }
    }

    func check() async throws {
        #expect(phones.violations.isEmpty)
        for id in orders {
            let snapshot = try #require(try await node.snapshot(id))
            let order = snapshot.stream.order
            #expect(snapshot.version == snapshot.settledVersion)
            let shown = phones.cards.filter { $0.order == id }
            for card in shown {
                let known = snapshot.stream.activities.first { $0.activityID?.value == card.activity }
                let note = Comment("\(id) \(card.device): \(order.phase) \(String(describing: known))")
                let content = snapshot.stream.content(at: Instant(microseconds: node.clock.now), policy: Policy())
                #expect(card.digest == content.digest, note)
                #expect(card.hasEnded == order.phase.isFinal, note)
            }
            guard !order.phase.isFinal else { continue }
            for device in devices where order.customers.contains(CustomerID(device.value)) {
                let card = snapshot.stream.activities.first { $0.device.value == device.key }
                let gaveUp = card?.reason == .startRefused
                #expect(gaveUp || shown.contains { $0.device == device.key }, "\(id) \(String(describing: card))")
            }
        }
    }
}
