/// The faults in force, asked in the order they were added; the first that strikes wins.
struct FaultScript: Sendable {
    private(set) var faults: [Fault] = []
    private var lastID = 0

    var isEmpty: Bool { faults.isEmpty }

    mutating func add(_ make: (_ id: Int) -> Fault) -> Fault {
        lastID += 1
        let fault = make(lastID)
        faults.append(fault)
        return fault
    }

    /// Whether there was such a fault.
    mutating func remove(_ id: Int) -> Bool {
        let before = faults.count
        faults.removeAll { $0.id == id }
        return faults.count < before
    }

    mutating func removeAll() { faults = [] }

    /// The effect on one request; `now` in microseconds of the machine's clock.
    mutating func strike(
        _ subject: Fault.Subject,
        at now: Int64,
        using generator: inout some RandomNumberGenerator
    ) -> Fault.Effect? {
        for index in faults.indices where faults[index].match.covers(subject) {
            if let until = faults[index].until, now >= until { continue }
            if faults[index].times == 0 { continue }
            if faults[index].skip > 0 {
                faults[index].skip -= 1
                continue
            }
            guard faults[index].comesUp(using: &generator) else { continue }
            faults[index].times = faults[index].times.map { $0 - 1 }
            faults[index].applied += 1
            return faults[index].effect
        }
        return nil
    }
}

extension Fault {
    fileprivate mutating func comesUp(using generator: inout some RandomNumberGenerator) -> Bool {
        guard probability < 1 else { return true }
        guard var own = chances else { return Double.random(in: 0..<1, using: &generator) < probability }
        defer { chances = own }
        return Double.random(in: 0..<1, using: &own) < probability
    }
}
