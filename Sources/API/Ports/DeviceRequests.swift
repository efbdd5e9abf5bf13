package import Tracking

/// `PUT /v1/devices/{device}`: absent members stay as they are, null erases.
package struct DeviceUpdate: Hashable, Sendable {
    package var customer = Stated<CustomerID>.absent
    package var environment = Stated<APNsEnvironment>.absent
    package var attributesType = Stated<String>.absent
    /// Tokens as hexadecimal digits, lower case.
    package var pushToStartToken = Stated<String>.absent
    package var deviceToken = Stated<String>.absent
    package var locale = Stated<String>.absent
    package var timeZone = Stated<String>.absent
    package var osVersion = Stated<String>.absent
    package var appBuild = Stated<String>.absent
    package var activitiesEnabled = Stated<Bool>.absent
    package var frequentPushes = Stated<Bool>.absent
    package var notificationsAllowed = Stated<Bool>.absent
    /// When the app observed all this; receive time when it does not say.
    package var observedAt: Int64
    /// Increases with each message of an installation; an older one has no effect.
    package var sequence: Int64?
    package var receivedAt: Int64

    /// Says nothing yet.
    package init(observedAt: Int64, receivedAt: Int64) {
        self.observedAt = observedAt
        self.receivedAt = receivedAt
    }
}

/// A device as `GET /v1/devices/{device}` shows it: never a token.
package struct DeviceView: Hashable, Sendable {
    package var device: DeviceID
    package var customer: CustomerID?
    /// Whether the customer's orders are told of it.
    package var isLinked: Bool
    package var hasStartToken: Bool
    package var hasDeviceToken: Bool
    /// Another device took its start token: the same phone under a new name.
    package var isSuperseded: Bool
    package var settings: DeviceSettings
    /// Cards that take a place on it now.
    package var places: Int

    package init(
        device: DeviceID,
        customer: CustomerID?,
        isLinked: Bool,
        hasStartToken: Bool,
        hasDeviceToken: Bool = false,
        isSuperseded: Bool = false,
        settings: DeviceSettings,
        places: Int
    ) {
        self.device = device
        self.customer = customer
        self.isLinked = isLinked
        self.hasStartToken = hasStartToken
        self.hasDeviceToken = hasDeviceToken
        self.isSuperseded = isSuperseded
        self.settings = settings
        self.places = places
    }
}

/// What became of a device's registration.
package enum RegistrationOutcome: Hashable, Sendable {
    /// 200.
    case accepted
    /// 410 `registration-dead`: APNs called this token dead after the app observed it.
    case dead
}

/// What became of a card's registration.
package enum CardOutcome: Hashable, Sendable {
    /// 200, with the incarnation the app named.
    case accepted(incarnation: Int?)
    /// 410 `registration-dead`: APNs called this token dead after the app observed it.
    case dead
    /// 409 `another-device`.
    case ofOtherDevice
}

/// `POST /v1/orders/{order}/activities`.
package struct StartQuestion: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case standard
        /// Shown by the system later; counts as a card and suppresses the push start.
        case scheduled
    }

    package var device: DeviceID
    package var kind: Kind
    package var receivedAt: Int64
}

package struct StartVerdict: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// The app starts it; push start waits 30 s.
        case start
        /// A card exists: the app takes it over.
        case adopt
        case no
    }

    package var verdict: Verdict
    /// A reason code, for every verdict.
    package var reason: String
    package var incarnation: Int?
    package var activity: ActivityID?

    package init(verdict: Verdict, reason: String, incarnation: Int?, activity: ActivityID?) {
        self.verdict = verdict
        self.reason = reason
        self.incarnation = incarnation
        self.activity = activity
    }
}

/// `PUT /v1/orders/{order}/activities/{activity}`.
package struct ActivityRegistration: Hashable, Sendable {
    package var device: DeviceID
    /// Hexadecimal digits, lower case; nil: the app runs the card without one.
    package var updateToken: String?
    package var startedBy: CardOrigin
    package var startedAt: Int64?
    /// When the app was handed the token; receive time when it does not say.
    package var observedAt: Int64
    /// nil: that of the newest server start still without a token, else the next number.
    package var incarnation: Int?
    package var sequence: Int64?
    package var receivedAt: Int64
}

/// `POST /v1/orders/{order}/activities/{activity}/reports`.
package struct ActivityReport: Hashable, Sendable {
    package var state: ReportedState
    /// When it happened; receive time when the app does not say.
    package var at: Int64
    package var sequence: Int64?
    package var receivedAt: Int64
}

/// `POST /v1/devices/{device}/running`.
package struct RunningList: Hashable, Sendable {
    package struct Card: Hashable, Sendable {
        package var order: OrderID
        package var activity: ActivityID
        package var incarnation: Int?
        package var state: ReportedState
    }

    package var cards: [Card]
    package var sequence: Int64?
    package var receivedAt: Int64
}

package struct RunningAnswer: Hashable, Sendable {
    package struct OrderState: Hashable, Sendable {
        package var order: OrderID
        package var phase: Phase
        package var revision: Int

        package init(order: OrderID, phase: Phase, revision: Int) {
            self.order = order
            self.phase = phase
            self.revision = revision
        }
    }

    /// Cards the app should end.
    package var end: [ActivityID]
    /// The current state of the device's orders.
    package var orders: [OrderState]

    package init(end: [ActivityID], orders: [OrderState]) {
        self.end = end
        self.orders = orders
    }
}

/// What one customer has in an order that is theirs.
package struct CustomerStanding: Hashable, Sendable {
    /// Their devices that the order knows.
    package var devices: Set<DeviceID>
    /// The device of each card whose name is known, be it another customer's.
    package var cards: [ActivityID: DeviceID]

    package init(devices: Set<DeviceID>, cards: [ActivityID: DeviceID] = [:]) {
        self.devices = devices
        self.cards = cards
    }
}
