/// Where an app build gets its pushes from.
package enum APNsEnvironment: UInt8, Hashable, Sendable {
    case sandbox = 0
    case production = 1

    package var name: String {
        switch self {
        case .sandbox: "sandbox"
        case .production: "production"
        }
    }

    package init?(name: String) {
        switch name {
        case "sandbox": self = .sandbox
        case "production": self = .production
        default: return nil
        }
    }
}

/// What a device says of itself; told to the orders of its customer.
package struct DeviceSettings: Hashable, Sendable {
    package var environment = APNsEnvironment.production
    package var attributesType: String?
    package var locale: String?
    package var timeZone: String?
    package var osVersion: String?
    package var appBuild: String?
    package var activitiesEnabled = true
    package var frequentPushes = false
    /// The person's leave for notifications; whoever does not tell has none.
    package var notificationsAllowed = false

    package init() {}
}

/// A device as an order knows it: no token values, only whether there is one.
package struct DeviceSnapshot: Hashable, Sendable {
    package var device: DeviceID
    package var customer: CustomerID
    /// Counts registrations; an older snapshot never replaces a newer one.
    package var generation: Int
    package var hasStartToken: Bool
    /// Whether ordinary alerts can reach it.
    package var hasDeviceToken: Bool
    package var settings: DeviceSettings

    package init(
        device: DeviceID,
        customer: CustomerID,
        generation: Int,
        hasStartToken: Bool,
        hasDeviceToken: Bool = false,
        settings: DeviceSettings
    ) {
        self.device = device
        self.customer = customer
        self.generation = generation
        self.hasStartToken = hasStartToken
        self.hasDeviceToken = hasDeviceToken
        self.settings = settings
    }
}
