/// Everything a decision about one card may look at.
struct Situation {
    let stream: OrderStream
    /// Receive time of what last confirmed the order: a partner's fact, or a sight of its courier.
    let confirmedAt: Instant
    /// The card's device; nil when it no longer belongs to a customer of the order.
    let device: DeviceSnapshot?
    let now: Instant
    let policy: Policy
    let promise: Promise
    /// The order as its card should show it now.
    let content: Content

    var order: Order { stream.order }

    init(_ stream: OrderStream, device: DeviceSnapshot?, now: Instant, policy: Policy) {
        self.stream = stream
        confirmedAt = stream.asOf ?? now
        self.device = device
        self.now = now
        self.policy = policy
        promise = stream.promise(policy, now: now)
        content = stream.content(at: now, policy: policy)
    }
}

/// What was decided for a card, and what that leaves in its slot.
struct Verdict {
    var decision: Decision
    var intention: Intention?
    /// The device stream must be asked for a place.
    var asksForStart = false
}
