import Tracking

/// A random history: what the seed of the people and the seeds of the steps make of it.
struct History {
    let seed: UInt64
    var steps: [UInt64]

    init(seed: UInt64, length: Int) {
        var numbers = SeededNumbers(seed: seed)
        self.seed = seed
        steps = (0..<length).map { _ in numbers.next() }
    }

    /// Lives through it, to rest and to the end.
    func run(isTold: Bool = false) -> World {
        var world = World(seed: seed)
        world.log.isTold = isTold
        world.people()
        for step in steps { world.step(step) }
        world.settle()
        world.expectTruth()
        // As long as the history itself, so not for each.
        if seed.isMultiple(of: 9) { world.violations += world.log.differences(policy: world.policy) }
        world.growOld()
        world.expectNothingLeft()
        return world
    }

    /// A shortest history that still fails: leaves out ever smaller parts while what is left fails.
    func shrunk(while fails: (History) -> Bool) -> History {
        var shortest = self
        var size = max(1, steps.count / 2)
        while size >= 1 {
            var start = 0
            while start < shortest.steps.count {
                var shorter = shortest
                shorter.steps.removeSubrange(start..<min(start + size, shorter.steps.count))
                if fails(shorter) { shortest = shorter } else { start += size }
            }
            size /= 2
        }
        return shortest
    }
}
