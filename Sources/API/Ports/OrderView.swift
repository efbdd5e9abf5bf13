package import Tracking

/// An order as `GET /v1/orders/{order}` shows it.
package struct OrderView: Hashable, Sendable {
    package var order: OrderID
    package var phase: Phase
    /// Event time of the fact that made the phase.
    package var since: Int64?
    package var kitchen: KitchenState
    package var courier: CourierState
    /// Personal; shown to the app and to supervisors only.
    package var courierName: String?
    package var eta: Int64?
    package var flags: Order.Flags
    /// What the customer asked for and the partner has not answered yet.
    package var pendingCommand: PendingCommand?
    /// Counts partner and staff facts.
    package var revision: Int
    /// Counts all facts of the order's stream.
    package var version: Int
    /// The newest version up to which nothing is left to do now (docs of `replay`).
    package var settledVersion: Int
    package var activities: [ActivityView]

    package init(
        order: OrderID,
        phase: Phase,
        since: Int64?,
        kitchen: KitchenState,
        courier: CourierState,
        courierName: String?,
        eta: Int64?,
        flags: Order.Flags,
        pendingCommand: PendingCommand? = nil,
        revision: Int,
        version: Int,
        settledVersion: Int,
        activities: [ActivityView]
    ) {
        self.order = order
        self.phase = phase
        self.since = since
        self.kitchen = kitchen
        self.courier = courier
        self.courierName = courierName
        self.eta = eta
        self.flags = flags
        self.pendingCommand = pendingCommand
        self.revision = revision
        self.version = version
        self.settledVersion = settledVersion
        self.activities = activities
    }
}

/// How far an order must have settled before the caller wants to hear of it, and how long the caller waits.
package struct Settlement: Hashable, Sendable {
    package var version: Int
    package var wait: Duration

    package init(version: Int, wait: Duration) {
        self.version = version
        self.wait = wait
    }
}

/// One card of an order.
package struct ActivityView: Hashable, Sendable {
    package var device: DeviceID
    package var incarnation: Int
    package var activity: ActivityID?
    package var state: ActivityState
    /// Of the newest decision: why the card is, or is not, as the order would have it.
    package var reason: Reason
    package var startedBy: CardOrigin
    package var startedAt: Int64?
    /// When APNs last accepted a push for it.
    package var lastAcceptedAt: Int64?

    package init(
        device: DeviceID,
        incarnation: Int,
        activity: ActivityID?,
        state: ActivityState,
        reason: Reason,
        startedBy: CardOrigin,
        startedAt: Int64?,
        lastAcceptedAt: Int64?
    ) {
        self.device = device
        self.incarnation = incarnation
        self.activity = activity
        self.state = state
        self.reason = reason
        self.startedBy = startedBy
        self.startedAt = startedAt
        self.lastAcceptedAt = lastAcceptedAt
    }
}
