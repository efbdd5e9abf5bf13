import Testing
import Tracking

/// What holds for any events in any order of arrival (engine rules, section 9).
@Suite struct OrderFoldProperties {
    // D02
    @Test(arguments: 0..<400)
    func `any order of arrival folds to the same order`(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let facts = Self.randomFacts(&numbers)
        let expected = Order.fold(facts.sorted { $0.key < $1.key })
        for _ in 0..<6 {
            let arrival = facts.shuffled(using: &numbers)
            #expect(foldAsTheyArrive(arrival).order == expected.order)
            let again = Order.fold(arrival)
            #expect(again.order == expected.order)
            #expect(again.facts == expected.facts)
        }
    }

    @Test(arguments: 0..<200)
    func `facts that arrive in order have the effects of the whole fold`(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let facts = Self.randomFacts(&numbers).sorted { $0.key < $1.key }
        // Voids reach back, so what was said of their targets before them was another story.
        guard !facts.contains(where: { $0.type == .known(.eventVoided) }) else { return }
        #expect(foldAsTheyArrive(facts).effects == Order.fold(facts).facts.map(\.effect))
    }

    @Test(arguments: 0..<200)
    func `where the phase differs the effect says changed`(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        var before: Phase?
        for folded in Order.fold(Self.randomFacts(&numbers)).facts {
            if let before, folded.phase != before { #expect(folded.effect == .changed) }
            before = folded.phase
        }
    }

    /// Up to a dozen facts on few distinct times, so that ties are common.
    static func randomFacts(_ numbers: inout SeededNumbers) -> [PartnerFact] {
        let words = EventType.Known.allCases.map(\.rawValue) + ["drone.launched"]
        return (0..<Int.random(in: 1...12, using: &numbers)).map { index in
            let word = numbers.one(of: words) ?? ""
            let time = Double(Int.random(in: 0..<4, using: &numbers))
            let source = numbers.chance(50) ? "pos" : "fleet"
            return event(word, at: time, id: "\(index)", source: source) { data in
                if numbers.chance(30) {
                    data.eta =
                        numbers.chance(30) ? .unknown : .known(minute(Double(Int.random(in: 10..<40, using: &numbers))))
                }
                if numbers.chance(20) {
                    data.courier = .init(id: "\(numbers.next() % 3)", name: numbers.chance(50) ? "Ana" : nil)
                }
                if numbers.chance(20) { data.customer = CustomerID("\(numbers.next() % 3)") }
                if word == "order.reopened" {
                    data.phase = numbers.one(of: [nil, .placed, .accepted, .onTheWay]) ?? nil
                }
                if word == "event.voided" || numbers.chance(3) {
                    data.voids = EventReference(
                        source: numbers.chance(50) ? "pos" : "fleet",
                        id: "\(Int.random(in: 0..<12, using: &numbers))"
                    )
                }
            }
        }
    }
}
