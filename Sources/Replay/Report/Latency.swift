/// How long after an event was committed APNs had the push that shows it.
package struct Latency: Hashable, Sendable {
    /// Milliseconds, of pushes that were due at once.
    package private(set) var measured: [Double] = []
    /// Pushes that had to wait for something: spacing, budget, a token, an answer.
    package private(set) var held = 0

    package init() {}

    /// Measures the accepted pushes of one phone for one order, in order of arrival.
    ///
    /// The first push that shows a revision counts. It was due at once when the event's own decision was to send it;
    /// a start also when the decision was to ask the device, which answers at once or refuses.
    mutating func add(_ pushes: [PushRecord], of history: OrderHistory) {
        var shown: Set<Int64> = []
        for push in pushes where push.isAccepted {
            guard let revision = push.revision, shown.insert(revision).inserted,
                let fact = history.fact(revision: revision),
                let decision = fact.decisions.last(where: { $0.phone == push.phone })
            else { continue }
            if Self.wasDueAtOnce(push, decision) {
                measured.append(Double(push.received - fact.recordedAt) / 1000)
            } else {
                held += 1
            }
        }
    }

    private static func wasDueAtOnce(_ push: PushRecord, _ decision: OrderHistory.Decision) -> Bool {
        if decision.verdict == push.event { return !decision.isHeld }
        return push.event == "start" && decision.verdict == "wait" && decision.reason == "startRequested"
    }

    mutating func add(_ other: Latency) {
        measured += other.measured
        held += other.held
    }

    /// The value that this share of the measured ones does not exceed (nearest rank); nil when none was measured.
    package func quantile(_ share: Double) -> Double? {
        guard !measured.isEmpty else { return nil }
        let rank = Int((share * Double(measured.count)).rounded(.up))
        return measured.sorted()[min(max(rank, 1), measured.count) - 1]
    }
}
