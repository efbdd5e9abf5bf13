/// One installation: its owner, its settings, and the places and starts it may still grant.
package struct DeviceStream: Hashable, Sendable {
    /// A place on the phone, taken by a card that is asked for, starting or live.
    package struct Place: Hashable, Sendable {
        package var order: OrderID
        package var incarnation: Int
        package init(order: OrderID, incarnation: Int) {
            self.order = order
            self.incarnation = incarnation
        }
    }

    package let id: DeviceID
    package internal(set) var customer: CustomerID?
    package internal(set) var settings = DeviceSettings()
    /// Counts registrations that changed something.
    package internal(set) var generation = 0
    package internal(set) var hasStartToken = false
    package internal(set) var startTokenAt: Instant?
    /// The start token's name, where the registration gave one.
    package internal(set) var startToken: HeldToken?
    package internal(set) var hasDeviceToken = false
    package internal(set) var deviceTokenAt: Instant?
    /// The ordinary token's name, as above.
    package internal(set) var deviceToken: HeldToken?
    /// The device that took the start token: the same phone under a new name. Such a device is superseded until it
    /// registers a token again.
    package internal(set) var successor: DeviceID?
    package internal(set) var sequence: Int64 = -1
    package internal(set) var places: [Place] = []
    /// Cards that were refused a start and want to be told when they may ask again.
    package internal(set) var waiting: [Place] = []
    /// When granted starts may leave, newest last; kept for an hour, and the newest for longer.
    package internal(set) var ledger: [Instant] = []
    package internal(set) var lastStartAt: Instant?
    /// Starts in a row after which nothing was heard of the app.
    package internal(set) var unanswered = 0
    package internal(set) var version = 0

    package init(id: DeviceID) { self.id = id }

    package var snapshot: DeviceSnapshot? {
        customer.map {
            DeviceSnapshot(
                device: id,
                customer: $0,
                generation: generation,
                hasStartToken: hasStartToken,
                hasDeviceToken: hasDeviceToken,
                settings: settings
            )
        }
    }
}

/// What changed about a token: absent keeps it, null erases it (field case P33).
package enum TokenChange: Hashable, Sendable {
    case unchanged
    case erased
    case replaced
}

/// A device told us about itself; absent members change nothing.
package struct DeviceRegistration: Hashable, Sendable {
    package var customer: CustomerID?
    package var environment: APNsEnvironment?
    package var attributesType: String?
    package var locale: String?
    package var timeZone: String?
    package var osVersion: String?
    package var appBuild: String?
    package var activitiesEnabled: Bool?
    package var frequentPushes: Bool?
    package var notificationsAllowed: Bool?
    package var startToken = TokenChange.unchanged
    /// Names the value of a start token that was replaced.
    package var tokenID: TokenID?
    package var deviceToken = TokenChange.unchanged
    package var deviceTokenID: TokenID?
    package var observedAt: Instant
    package var sequence: Int64?

    package init(observedAt: Instant) { self.observedAt = observedAt }
}

/// Everything the log can tell a device's stream.
package enum DeviceStreamFact: Hashable, Sendable {
    case registered(DeviceRegistration)
    case loggedOut(sequence: Int64?)
    case running(cards: [OrderID: [ListedCard]], sequence: Int64?)
    case message(Relay.DeviceMessage)
    case other
}
