package import Tracking

/// The world in which a policy is tried: one that leaves nothing to chance unless told otherwise.
package struct SimulationSettings: Sendable {
    package enum Phones: Hashable, Sendable {
        /// Every order has a phone of its own, as `doorstep replay` makes them.
        case perOrder
        /// The customers of the file have one phone each, so that budgets bind.
        case perCustomer
    }

    package var phones = Phones.perOrder
    /// How long after a start the app hands over the card's update token.
    package var tokenDelay = Duration.seconds(2)
    /// Meanwhile nothing is sent; what is still wanted then leaves at its end.
    package var outage: Range<Instant>?
    /// Whether every push is kept, for those who look at single ones.
    package var keepsPushes = false

    package init() {}

    /// When a push leaves that is due then: at its time, or when an outage is over.
    func leaves(_ due: Instant) -> Instant {
        guard let outage, outage.contains(due) else { return due }
        return outage.upperBound
    }
}
