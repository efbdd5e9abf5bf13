import Tracking

/// The moment that tests count from: 2023-11-14 22:13:20 UTC.
let noon = Instant(seconds: 1_700_000_000)

func minute(_ number: Double) -> Instant { noon + .milliseconds(Int64(number * 60_000)) }

/// A partner's event, told in one line. Its id is its type and minute unless the test names it.
func event(
    _ word: String,
    at time: Double,
    id: String? = nil,
    source: String = "pos",
    flags: FactFlags = [],
    _ fill: (inout PartnerData) -> Void = { _ in }
) -> PartnerFact {
    let type = EventType(word)
    var data = PartnerData()
    fill(&data)
    return PartnerFact(
        key: FoldKey(time: minute(time), rank: type.rank, source: source, id: id ?? "\(word)@\(time)"),
        type: type,
        data: data,
        flags: flags,
        contentDigest: digest(data)
    )
}

/// Any digest will do that is equal for equal data.
private func digest(_ data: PartnerData) -> UInt64 {
    var digest = Digest()
    digest.add("\(data.customer?.value ?? "-") \(data.eta) \(data.courier?.id ?? "-") \(data.courier?.name ?? "-")")
    digest.add("\(data.displayNumber ?? "-") \(data.phase?.name ?? "-") \(data.voids?.id ?? "-")")
    return digest.value
}

func fold(_ facts: PartnerFact...) -> Order { Order.fold(facts).order }

func effects(_ facts: PartnerFact...) -> [FoldEffect] { Order.fold(facts).facts.map(\.effect) }

/// Folds in the order of arrival, as the order stream does: onto the value where it fits, else all again.
func foldAsTheyArrive(_ facts: [PartnerFact]) -> (order: Order, effects: [FoldEffect?]) {
    var order = Order()
    var arrived: [PartnerFact] = []
    var effects: [FoldEffect?] = []
    for fact in facts {
        arrived.append(fact)
        if order.accepts(fact) {
            effects.append(order.evolve(fact))
        } else {
            let again = Order.fold(arrived)
            order = again.order
            effects.append(again.facts.first { $0.fact.reference == fact.reference }?.effect)
        }
    }
    return (order, effects)
}

func permutations<Element>(of elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index -> [[Element]] in
        var rest = elements
        let first = rest.remove(at: index)
        return permutations(of: rest).map { [first] + $0 }
    }
}

/// SplitMix64: the same numbers for the same seed, on every platform.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func one<Element>(of elements: [Element]) -> Element? { elements.randomElement(using: &self) }
}
