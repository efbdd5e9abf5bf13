/// How long what a card shows may be believed (engine rules, rule 6).
struct Promise {
    /// From then on it can no longer be kept; nil: it is broken already.
    let until: Instant?

    @inline(__always)
    init(_ order: borrowing Order, confirmedAt: Instant, isParked: Bool, policy: Policy) {
        let isWithoutCourier =
            order.courierState == .unassigned && (order.eta != nil || order.phase.progress >= Phase.onTheWay.progress)
        guard !isParked, !isWithoutCourier else {
            until = nil
            return
        }
        let quietEnd = confirmedAt + policy.quietWindow(order.phase)
        until = order.eta.map { min(quietEnd, $0 + policy.overdueAfter) } ?? quietEnd
    }

    func isBroken(at now: Instant) -> Bool { until.map { $0 <= now } ?? true }
}
