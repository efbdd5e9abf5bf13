import Testing
import Tracking

/// All streams of a few orders, phones and people, with everything between them that can be late, lost or told twice.
///
/// Streams hear each other only through relays. Between two streams relays keep their order, as the log gives them;
/// everything else comes in any order the seed likes.
struct World {
    struct Channel: Hashable {
        let from: String
        let to: String
    }

    var numbers: SeededNumbers
    var now = noon
    var policy = Policy()
    var orders: [OrderID: OrderStream] = [:]
    var devices: [DeviceID: DeviceStream] = [:]
    var customers: [CustomerID: CustomerStream] = [:]
    var tokens: [TokenID: TokenStream] = [:]
    var phones: [DeviceID: Phone] = [:]
    var relays: [Channel: [Relay]] = [:]
    var pushes: [Push] = []
    /// Partner facts that are still to arrive, and those that did, our own among them that the fold knows.
    var coming: [OrderID: [PartnerFact]] = [:]
    var arrived: [OrderID: [PartnerFact]] = [:]
    /// Update tokens and start tokens that the server holds.
    var updateTokens: [CardKey: Int] = [:]
    var startTokens: [DeviceID: Int] = [:]
    var deviceTokens: [DeviceID: Int] = [:]
    /// The systems that phones run, and the channels that APNs has.
    var systems: [DeviceID: String] = [:]
    /// The builds of the app on them, where it matters.
    var builds: [DeviceID: String] = [:]
    var channels: Set<ChannelID> = []
    /// Phones whose app has no ordinary token to tell of.
    var withoutDeviceToken: Set<DeviceID> = []
    var record = PushRecord()
    var log = WorldLog()
    /// What did not hold, in words.
    var violations: [String] = []
    /// Which decisions were met, for the table.
    var met = DecisionTable()
    private var serial = 100

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
        policy.startsPerTenMinutes = 1000
        policy.startsPerHour = 1000
        policy.unansweredStarts = 1000
        policy.maxActivities = 2
    }

    mutating func fresh() -> Int {
        serial += 1
        return serial
    }

    /// Time passes; phones forget cards that grew old.
    mutating func pass(to moment: Instant) {
        now = max(now, moment)
        for id in phones.keys { phones[id]?.passTime(to: now) }
    }

    mutating func require(_ holds: Bool, _ words: @autoclosure () -> String) {
        if !holds { violations.append(words()) }
    }

    // MARK: - Facts

    mutating func tell(_ id: OrderID, _ fact: OrderStreamFact) {
        if case .partner(let partner) = fact { arrived[id, default: []].append(partner) }
        if case .timerRang(let timer) = fact, let expired = PartnerFact(timer) {
            arrived[id, default: []].append(expired)
        }
        let before = orders[id]
        var stream = before ?? OrderStream(id: id)
        let again = stream.accepts(fact) ? nil : arrived[id]
        let outcome = stream.handle(
            fact,
            version: stream.version + 1,
            now: now,
            policy: policy,
            partnerFacts: again
        )
        violations += record.saw(before: before, after: stream)
        orders[id] = stream
        met.note(fact, before: before, after: stream, outcome.decisions)
        log.note(id, fact, now, outcome, stream)
        send(outcome.relays, from: "order \(id.value)")
    }

    mutating func tell(_ id: DeviceID, _ fact: DeviceStreamFact) {
        var stream = devices[id] ?? DeviceStream(id: id)
        let relays = stream.handle(fact, version: stream.version + 1, now: now, policy: policy)
        devices[id] = stream
        send(relays, from: "device \(id.value)")
    }

    private mutating func tell(_ id: CustomerID, _ message: Relay.CustomerMessage) {
        let relays = customers[id, default: CustomerStream(id: id)].handle(message)
        send(relays, from: "customer \(id.value)")
    }

    private mutating func tell(_ id: TokenID, _ message: Relay.TokenMessage) {
        let relays = tokens[id, default: TokenStream(id: id)].handle(message)
        send(relays, from: "token \(id.value)")
    }

    // MARK: - Timers

    /// Rings a timer that is due; false when there is none.
    mutating func ring() -> Bool {
        var due: [(OrderID, TimerRang)] = []
        for (id, stream) in orders.sorted(by: { $0.key.value < $1.key.value }) {
            for set in stream.timers where set.timer.dueAt <= now {
                let rang = TimerRang(
                    device: set.device,
                    incarnation: set.incarnation,
                    kind: set.timer.kind,
                    generation: set.timer.generation,
                    at: now
                )
                due.append((id, rang))
            }
        }
        guard let (id, timer) = numbers.one(of: due) else { return false }
        tell(id, .timerRang(timer))
        return true
    }

    /// When the next timer is due, and the next push.
    var nextTimer: Instant? { orders.values.flatMap { $0.timers.map(\.timer.dueAt) }.min() }

    var nextPush: Instant? {
        let cards = orders.values.flatMap(\.cards).compactMap { $0.startInFlight ? nil : $0.intention?.dueAt }
        return (cards + orders.values.flatMap(\.fallbacks.values).compactMap { $0.intention?.dueAt }).min()
    }

    // MARK: - Relays

    private mutating func send(_ new: [Relay], from sender: String) {
        for relay in new {
            let receiver =
                switch relay {
                case .toOrder(let id, _): "order \(id.value)"
                case .toDevice(let id, _): "device \(id.value)"
                case .toCustomer(let id, _): "customer \(id.value)"
                case .toToken(let id, _): "token \(id.value)"
                }
            relays[Channel(from: sender, to: receiver), default: []].append(relay)
        }
    }

    /// Delivers the oldest relay of some channel; false when there is none.
    mutating func deliver(duplicates: Int = 0) -> Bool {
        let channels = relays.keys.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
        guard let channel = numbers.one(of: channels), let relay = relays[channel]?.removeFirst() else { return false }
        if relays[channel]?.isEmpty == true { relays[channel] = nil }
        for _ in 0..<(numbers.chance(duplicates) ? 2 : 1) { receive(relay) }
        return true
    }

    mutating func deliverAll(from sender: String) {
        for channel in relays.keys.filter({ $0.from == sender }).sorted(by: { $0.to < $1.to }) {
            for relay in relays.removeValue(forKey: channel) ?? [] { receive(relay) }
        }
    }

    private mutating func receive(_ relay: Relay) {
        switch relay {
        case .toOrder(let id, let message): tell(id, Self.fact(message))
        case .toDevice(let id, let message): tell(id, .message(message))
        case .toCustomer(let id, let message): tell(id, message)
        case .toToken(let id, let message): tell(id, message)
        }
    }

    private static func fact(_ message: Relay.OrderMessage) -> OrderStreamFact {
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
}
