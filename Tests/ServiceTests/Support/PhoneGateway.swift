import PostgresStore
import PushDelivery
import Runtime
import Service
import TestSupport
import Tracking

/// APNs with phones behind it: pushes get lost, refused and answered late as the seed likes; cards follow those that
/// arrive. What must never happen is written down when it does.
final class PhoneGateway: PushGateway {
    struct Card: Sendable {
        let device: String
        let order: String
        let incarnation: Int
        let activity: String
        var token: String
        var isRegistered = false
        var hasEnded = false
        var stamp: Int64
        var digest: UInt64
        var pushes = 1
        /// Tokens that were replaced, and when.
        var replaced: [String: Int64] = [:]
    }

    fileprivate struct Content {
        var numbers: SplitMix64
        var faultsInHundred: Int
        var cards: [Card] = []
        var serial = 0
        var stamps: [String: Int64] = [:]
        var ended: Set<String> = []
        /// Starts of an incarnation that may have reached a phone, since its app last listed what runs there.
        var starts: [String: Int] = [:]
        var violations: [String] = []
        var sent = 0
    }

    fileprivate enum Fate {
        case accepted
        case refused
        case neverLeft
        case lostOnTheWay
        case lostOnTheWayBack
    }

    private let content: Locked<Content>

    init(seed: UInt64, faultsInHundred: Int) {
        content = Locked(Content(numbers: SplitMix64(seed: seed), faultsInHundred: faultsInHundred))
    }

    var violations: [String] { content.withLock { $0.violations } }
    var sent: Int { content.withLock { $0.sent } }
    var cards: [Card] { content.withLock { $0.cards } }

    func stopFaults() { content.withLock { $0.faultsInHundred = 0 } }

    // MARK: - APNs

    func isOpen(_ app: Directory.App) -> Bool { true }

    func send(_ push: ClaimedPush, app: Directory.App, now: Instant) async -> Delivery {
        let delay = content.withLock { Int.random(in: 0...3, using: &$0.numbers) }
        try? await TestLoop.shared.sleep(for: .milliseconds(delay))
        return Delivery(content.withLock { $0.receive(push, now) }, bytes: 1000)
    }

    // MARK: - Phones

    /// Marks a card's token as handed over; nil when it was already.
    func register(_ activity: String) -> Card? {
        content.withLock { content in
            guard let index = content.cards.firstIndex(where: { $0.activity == activity && !$0.isRegistered }) else {
                return nil
            }
            content.cards[index].isRegistered = true
            return content.cards[index]
        }
    }

    /// iOS hands out another token; the old one is dead from now on.
    func rotate(_ activity: String, at now: Int64) {
        content.withLock { content in
            guard let index = content.cards.firstIndex(where: { $0.activity == activity && !$0.hasEnded }) else {
                return
            }
            content.cards[index].replaced[content.cards[index].token] = now
            content.cards[index].token = content.newToken()
            content.cards[index].isRegistered = false
        }
    }

    /// The app tells what runs: a start that left no card may be repeated.
    func list(_ device: String) -> [Card] {
        content.withLock { content in
            let cards = content.cards.filter { $0.device == device && !$0.hasEnded }
            for key in content.starts.keys where key.hasPrefix("\(device) ") {
                if !cards.contains(where: { Content.key($0.device, $0.order, $0.incarnation) == key }) {
                    content.starts[key] = 0
                }
            }
            return cards
        }
    }
}

extension PhoneGateway.Content {
    fileprivate static func key(_ device: String, _ order: String, _ incarnation: Int) -> String {
        "\(device) \(order) \(incarnation)"
    }

    fileprivate mutating func newToken() -> String {
        serial += 1
        return String(0xabcd_0000 + serial, radix: 16)
    }

    fileprivate mutating func receive(_ push: ClaimedPush, _ now: Instant) -> PushOutcome {
        sent += 1
        let key = Self.key(push.card.device.value, push.card.order.value, push.card.incarnation)
        if push.stamp <= stamps[key] ?? .min { violations.append("\(key): timestamp \(push.stamp) again") }
        stamps[key] = push.stamp
        if push.intention.verb == .update, ended.contains(key) { violations.append("\(key): update after its end") }
        if let dead = dead(push) { return dead }
        let fate = fate()
        let mayHaveArrived =
            switch fate {
            case .accepted, .lostOnTheWay, .lostOnTheWayBack: true
            case .refused, .neverLeft: false
            }
        if push.intention.verb == .start, mayHaveArrived {
            starts[key, default: 0] += 1
            if starts[key, default: 0] > 1 { violations.append("\(key): a second start") }
        }
        switch fate {
        case .accepted:
            reach(push, key)
            if push.intention.verb == .end { ended.insert(key) }
            return .accepted
        case .refused:
            return .refused(status: 503, reason: "ServiceUnavailable", remedy: .retry, deadSince: nil)
        case .neverLeft:
            return .refused(status: 0, reason: "unreachable", remedy: .retry, deadSince: nil)
        case .lostOnTheWay:
            return .lost
        case .lostOnTheWayBack:
            reach(push, key)
            return .lost
        }
    }

    private mutating func fate() -> PhoneGateway.Fate {
        guard Int.random(in: 0..<100, using: &numbers) < faultsInHundred else { return .accepted }
        let fates: [PhoneGateway.Fate] = [.refused, .neverLeft, .lostOnTheWay, .lostOnTheWayBack]
        return fates[Int.random(in: 0..<fates.count, using: &numbers)]
    }

    private func dead(_ push: ClaimedPush) -> PushOutcome? {
        guard push.intention.verb != .start, case .known(let token) = push.token else { return nil }
        if cards.contains(where: { $0.token == token }) { return nil }
        let since = cards.compactMap { $0.replaced[token] }.first
        return .refused(
            status: 410,
            reason: "Unregistered",
            remedy: .forgetToken,
            deadSince: since.map { Instant(microseconds: $0) }
        )
    }

    private mutating func reach(_ push: ClaimedPush, _ key: String) {
        let digest = push.intention.content.digest
        if push.intention.verb == .start {
            if cards.contains(where: { Self.key($0.device, $0.order, $0.incarnation) == key }) {
                violations.append("\(key): a second card")
            }
            let token = newToken()
            cards.append(
                PhoneGateway.Card(
                    device: push.card.device.value,
                    order: push.card.order.value,
                    incarnation: push.card.incarnation,
                    activity: "card-\(token)",
                    token: token,
                    stamp: push.stamp,
                    digest: digest
                )
            )
            return
        }
        guard let index = cards.firstIndex(where: { .known($0.token) == push.token }) else { return }
        guard !cards[index].hasEnded, push.stamp > cards[index].stamp else { return }
        cards[index].stamp = push.stamp
        cards[index].digest = digest
        cards[index].pushes += 1
        if push.intention.verb == .end { cards[index].hasEnded = true }
    }
}
