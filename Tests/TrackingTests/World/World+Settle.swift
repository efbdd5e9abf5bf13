import Tracking

/// Bringing a history to rest.
extension World {
    /// Everything still under way arrives, people open their apps, and some minutes pass.
    mutating func settle() {
        numbers = SeededNumbers(seed: 7)
        for id in Self.orderIDs {
            if orders[id]?.isParked == true { tell(id, .unparked) }
            while let fact = coming[id]?.popLast() { tell(id, .partner(fact)) }
        }
        for _ in 0..<6 {
            quiet()
            for id in Self.phoneIDs {
                turnSwitch(id, on: true)
                if let owner = phones[id]?.owner { logIn(id, owner) }
                quiet()
                pass(to: now + .seconds(61))
                if phones[id] != nil { listRunning(id) }
            }
        }
        quiet()
    }

    /// Until nothing is left to do within the quarter of an hour that a repeated push may wait.
    mutating func quiet() {
        for _ in 0..<5_000 {
            if deliver() || ring() || answer([.accepted]) || claim() { continue }
            if Self.phoneIDs.contains(where: { registerCard($0) }) { continue }
            guard let due = nextPush, due <= now + .seconds(1000) else { return }
            pass(to: due)
        }
        require(false, "it never comes to rest")
    }

    /// Nobody says anything more: time alone ends every card.
    mutating func growOld() {
        for _ in 0..<400 {
            quiet()
            guard let next = [nextTimer, nextPush].compactMap(\.self).min() else { return }
            pass(to: next)
        }
        require(false, "timers and pushes never end")
    }
}
