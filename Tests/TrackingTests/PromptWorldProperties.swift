import Testing
import Tracking

/// What people see where nothing is late or lost but their orders (engine rules, section 9).
@Suite struct PromptWorldProperties {
    private static let order = OrderID("1")
    private static let owner = CustomerID("ana")

    @Test(arguments: 0..<500)
    func `no card looks alive past its promise`(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let facts = Self.story(&numbers, gaps: 1...20, rareGaps: 60...300)
        var at = noon
        let arrivals = facts.map { fact in
            at = max(at, fact.key.time) + .seconds(numbers.chance(10) ? Int.random(in: 60...3600, using: &numbers) : 1)
            return (at: at, fact: fact)
        }
        var world = Self.world(seed)
        world.policy.contract.showsMinutes = numbers.chance(30)
        world.live(arrivals, of: Self.order, until: at + .seconds(15 * 3600))
        world.expectNothingLeft()
        #expect(world.violations == [])
    }

    @Test(arguments: 0..<500)
    func `events out of order sound no more often than events in order`(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        // Within the time that a card may take: after its deadline nothing sounds any more.
        let facts = Self.story(&numbers, gaps: 1...8, rareGaps: 9...20)
        let moments = facts.map { $0.key.time + .seconds(1) }
        let shuffled = facts.shuffled(using: &numbers)
        // Nothing arrives before it happened.
        let late = zip(moments, shuffled).map { (at: max($0, $1.key.time + .seconds(1)), fact: $1) }
        let end = noon + .seconds(15 * 3600)
        var inOrder = Self.world(seed)
        inOrder.live(zip(moments, facts).map { (at: $0, fact: $1) }, of: Self.order, until: end)
        var outOfOrder = Self.world(seed)
        outOfOrder.live(late, of: Self.order, until: end)
        #expect(outOfOrder.sounds(World.phoneIDs[0]) <= inOrder.sounds(World.phoneIDs[0]))
        #expect(outOfOrder.orders[Self.order]?.order == inOrder.orders[Self.order]?.order)
        #expect(inOrder.violations + outOfOrder.violations == [])
    }

    private static func world(_ seed: UInt64) -> World {
        var world = World(seed: seed)
        world.logIn(World.phoneIDs[0], owner)
        return world
    }

    /// The usual course of an order, with gaps of minutes and now and then longer ones.
    private static func story(
        _ numbers: inout SeededNumbers,
        gaps: ClosedRange<Int>,
        rareGaps: ClosedRange<Int>
    ) -> [PartnerFact] {
        var words = ["order.placed", "order.accepted", "order.picked_up"]
        for _ in 0..<Int.random(in: 0...4, using: &numbers) {
            words.append(numbers.one(of: ["eta.changed", "courier.nearby", "courier.reassigned"]) ?? "eta.changed")
        }
        if numbers.chance(20) { words.append("courier.unassigned") }
        if numbers.chance(60) { words.append("courier.waiting") }
        if let final = numbers.one(of: ["order.delivered", "order.delivered", "order.cancelled"]), numbers.chance(85) {
            words.append(final)
        }
        var time = 0.0
        return words.map { word in
            time += Double(Int.random(in: numbers.chance(10) ? rareGaps : gaps, using: &numbers))
            return event(word, at: time) { data in
                data.customer = owner
                if numbers.chance(40) || word == "eta.changed" {
                    data.eta = .known(minute(time + Double(Int.random(in: -10..<60, using: &numbers))))
                }
            }
        }
    }
}
