/// Whether a process can serve, and what speaks against it.
package struct ServiceReadiness: Hashable, Sendable {
    package var isReady: Bool
    /// What was looked at and whether it is well; names only, in a fixed order.
    package var checks: [Check]

    package struct Check: Hashable, Sendable {
        package var name: String
        package var isWell: Bool

        package init(name: String, isWell: Bool) {
            self.name = name
            self.isWell = isWell
        }
    }

    package init(checks: [Check]) {
        self.checks = checks
        self.isReady = checks.allSatisfy(\.isWell)
    }
}
