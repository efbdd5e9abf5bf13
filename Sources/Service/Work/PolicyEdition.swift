package import Tracking

/// A version of an app's policy, and since when it is in force. Versions never change.
package struct PolicyEdition: Hashable, Sendable {
    /// Microseconds since 1970 by the database's clock.
    package var activeFrom: Int64
    package var policy: Policy

    package init(activeFrom: Int64, policy: Policy) {
        self.activeFrom = activeFrom
        self.policy = policy
    }
}

extension [PolicyEdition] {
    /// What is in force at a moment: the version activated last, of several at once the highest.
    package func inForce(at time: Int64) -> Policy? {
        filter { $0.activeFrom <= time }
            .max { ($0.activeFrom, $0.policy.version) < ($1.activeFrom, $1.policy.version) }?.policy
    }
}
