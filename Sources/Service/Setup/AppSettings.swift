package import Tracking

/// One iOS app as configured: who it is for APNs and how its cards are decided.
package struct AppSettings: Hashable, Sendable {
    package var name: String
    package var bundleID: String
    package var teamID: String
    package var attributesType: String
    /// For devices that name none.
    package var environment: APNsEnvironment
    package var policy: Policy

    package init(
        name: String,
        bundleID: String,
        teamID: String,
        attributesType: String = "DoorstepAttributes",
        environment: APNsEnvironment = .production,
        policy: Policy = Policy()
    ) {
        self.name = name
        self.bundleID = bundleID
        self.teamID = teamID
        self.attributesType = attributesType
        self.environment = environment
        self.policy = policy
    }
}
