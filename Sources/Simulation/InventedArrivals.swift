private import Replay
private import Runtime
internal import Tracking

/// Arrival times for a stream that has none: `--eta SEED` (docs/simulate.md).
///
/// Each order's estimates begin wrong and get better as its end comes nearer. Most follow each other within minutes, some
/// in bursts of seconds; now and then nothing is heard for up to an hour, so that promises break. One order in ten has no
/// estimates at all, and one estimate in fifty is taken back. The same seed invents the same times for the same order.
struct InventedArrivals {
    private static let source = "invented"

    let seed: UInt64

    func added(to order: RecordedOrder) -> RecordedOrder {
        guard let begin = order.facts.first?.key.time, let end = order.facts.last?.key.time else { return order }
        var digest = Digest()
        digest.add(order.id.value)
        var numbers = SplitMix64(seed: seed ^ digest.value)
        guard numbers.below(10) > 0 else { return order }
        // In percent of what is left of the delivery: rather too early than too late, as estimates are.
        let bias = Int64(numbers.below(70)) - 40
        var facts: [PartnerFact] = []
        var (now, number, burst) = (begin + .seconds(5), 0, 0)
        while now < end {
            let left = (end - now).components.seconds
            let noise = Int64(numbers.below(120)) - 60
            let eta = Instant(seconds: end.seconds + left * bias / 100 + noise)
            facts.append(Self.fact(numbers.below(50) == 0 ? .unknown : .known(eta), at: now, number: number))
            number += 1
            if burst > 0 { burst -= 1 } else if numbers.below(30) == 0 { burst = numbers.below(10) }
            now = now + .seconds(burst > 0 ? 1 + numbers.below(4) : Self.pause(&numbers))
        }
        return order.adding(facts)
    }

    /// Seconds until the next estimate.
    private static func pause(_ numbers: inout SplitMix64) -> Int {
        switch numbers.below(100) {
        case ..<75: 20 + numbers.below(220)
        case ..<92: 240 + numbers.below(420)
        default: 900 + numbers.below(2700)
        }
    }

    private static func fact(_ eta: Stated<Instant>, at time: Instant, number: Int) -> PartnerFact {
        let type = EventType.known(.etaChanged)
        var data = PartnerData()
        data.eta = eta
        return PartnerFact(
            key: FoldKey(time: time, rank: type.rank, source: source, id: "\(number)"),
            type: type,
            data: data,
            flags: [],
            contentDigest: UInt64(number)
        )
    }
}
