import Synchronization
import Testing
import Tracking

/// What holds whatever is late, lost, refused or told twice (engine rules, section 9).
@Suite struct WorldProperties {
    /// As many histories as the environment asks for; the table of decisions is made of the usual ones among them.
    static let count = environment("DOORSTEP_HISTORIES").flatMap { Int($0) } ?? 10_000
    private static let usual = 10_000

    @Test func `every phone shows the truth in the end, and nothing is told twice`() async {
        let table = await Self.live(Self.count)
        DecisionTableFile.compare(table, isWhole: Self.count >= Self.usual)
    }

    /// Lives through histories on all processors; fails with the shortest form of the first that goes wrong.
    private static func live(_ count: Int) async -> DecisionTable {
        let workers = 2
        let failed = Flag()
        return await withTaskGroup { group in
            for worker in 0..<workers {
                group.addTask {
                    var table = DecisionTable()
                    for seed in stride(from: worker, to: count, by: workers) {
                        let history = history(UInt64(seed))
                        let world = history.run()
                        if seed < usual { table.merge(world.met) }
                        if !world.violations.isEmpty {
                            // One is told whole; the others would say the same.
                            if !failed.set() { tell(history) }
                            return table
                        }
                    }
                    return table
                }
            }
            return await group.reduce(into: DecisionTable()) { $0.merge($1) }
        }
    }

    private static func history(_ seed: UInt64) -> History { History(seed: seed, length: 60 + Int(seed % 8) * 25) }

    /// Set once.
    private final class Flag: Sendable {
        private let isSet = Atomic(false)
        /// What it was before.
        func set() -> Bool { isSet.exchange(true, ordering: .relaxed) }
    }

    private static func tell(_ history: History) {
        // A history that never comes to rest takes long to shrink: whoever waits knows why.
        print("seed \(history.seed) fails: \(history.run().violations.prefix(3)); looking for a shorter history")
        let shortest = history.shrunk { !$0.run().violations.isEmpty }
        let violations = shortest.run(isTold: true).violations
        Issue.record("seed \(history.seed), \(shortest.steps.count) steps:\n\(violations.joined(separator: "\n"))")
    }
}
