/// The one vocabulary all partners' words are mapped to. A word outside it is kept and has no effect.
package enum EventType: Hashable, Sendable {
    case known(Known)
    /// Our own: a failed attempt was not repeated in time.
    case attemptExpired
    case unknown(String)

    package enum Known: String, Hashable, Sendable, CaseIterable {
        case orderPlaced = "order.placed"
        case orderAccepted = "order.accepted"
        case orderRejected = "order.rejected"
        case orderPreparing = "order.preparing"
        case orderReady = "order.ready"
        case courierAssigned = "courier.assigned"
        case courierUnassigned = "courier.unassigned"
        case courierReassigned = "courier.reassigned"
        case courierToPickup = "courier.to_pickup"
        case courierNearPickup = "courier.near_pickup"
        case courierAtPickup = "courier.at_pickup"
        case orderPickedUp = "order.picked_up"
        case orderOnTheWay = "order.on_the_way"
        case courierNearby = "courier.nearby"
        case courierWaiting = "courier.waiting"
        case orderDelivered = "order.delivered"
        case orderClosed = "order.closed"
        case attemptFailed = "delivery.attempt_failed"
        case orderCancelled = "order.cancelled"
        case cancellationRequested = "cancellation.requested"
        case cancellationDenied = "cancellation.denied"
        case orderReturning = "order.returning"
        case orderReturned = "order.returned"
        case orderDisposed = "order.disposed"
        case orderReopened = "order.reopened"
        case eventVoided = "event.voided"
        case etaChanged = "eta.changed"
        case courierLocation = "courier.location"
        case orderBatched = "order.batched"
    }

    package init(_ word: String) {
        self = Known(rawValue: word).map(EventType.known) ?? .unknown(word)
    }

    package var word: String {
        switch self {
        case .known(let known): known.rawValue
        case .attemptExpired: "delivery.attempt_expired"
        case .unknown(let word): word
        }
    }

    /// Breaks ties of event time inside the fold: what must have happened first sorts first.
    package var rank: Int {
        switch self {
        case .known(let known): known.rank
        case .attemptExpired: 8
        case .unknown: 2
        }
    }
}

extension EventType.Known {
    var rank: Int {
        switch self {
        case .orderPlaced: 0
        case .orderAccepted: 1
        case .orderPreparing, .orderReady, .courierAssigned, .courierUnassigned, .courierReassigned,
            .courierToPickup, .courierNearPickup, .courierAtPickup, .orderClosed, .cancellationRequested,
            .cancellationDenied, .orderDisposed, .etaChanged, .courierLocation, .orderBatched:
            2
        case .orderPickedUp, .orderOnTheWay: 3
        case .courierNearby: 4
        case .courierWaiting: 5
        case .attemptFailed: 6
        case .orderReturning: 7
        case .orderCancelled, .orderRejected: 8
        case .orderReturned: 9
        case .orderDelivered: 10
        case .orderReopened: 11
        case .eventVoided: 12
        }
    }

    /// The phase this event claims for the order; nil: it concerns another track.
    var phase: Phase? {
        switch self {
        case .orderPlaced: .placed
        case .orderAccepted: .accepted
        case .orderPickedUp, .orderOnTheWay, .courierNearby: .onTheWay
        case .courierWaiting: .courierWaiting
        case .orderDelivered: .delivered
        case .orderCancelled, .orderRejected: .cancelled
        case .orderReturning: .failed
        case .orderReturned: .returned
        case .orderPreparing, .orderReady, .courierAssigned, .courierUnassigned, .courierReassigned,
            .courierToPickup, .courierNearPickup, .courierAtPickup, .orderClosed, .attemptFailed,
            .cancellationRequested, .cancellationDenied, .orderDisposed, .orderReopened, .eventVoided, .etaChanged,
            .courierLocation, .orderBatched:
            nil
        }
    }

    /// Where this event puts the courier's track; nil: it says nothing of the courier.
    var courier: CourierState? {
        switch self {
        case .courierAssigned, .courierReassigned: .assigned
        case .courierUnassigned: .unassigned
        case .courierToPickup: .toPickup
        case .courierNearPickup: .nearPickup
        case .courierAtPickup: .atPickup
        case .orderPickedUp: .pickedUp
        case .orderOnTheWay: .onTheWay
        case .courierNearby: .nearby
        case .courierWaiting: .waiting
        case .orderDelivered, .orderReturned: .done
        case .orderPlaced, .orderAccepted, .orderRejected, .orderPreparing, .orderReady, .orderClosed, .attemptFailed,
            .orderCancelled, .cancellationRequested, .cancellationDenied, .orderReturning, .orderDisposed,
            .orderReopened, .eventVoided, .etaChanged, .courierLocation, .orderBatched:
            nil
        }
    }

    /// Where this event puts the kitchen's track; nil: it says nothing of the kitchen.
    var kitchen: KitchenState? {
        switch self {
        case .orderPreparing: .preparing
        case .orderReady: .ready
        case .orderPlaced, .orderAccepted, .orderRejected, .courierAssigned, .courierUnassigned, .courierReassigned,
            .courierToPickup, .courierNearPickup, .courierAtPickup, .orderPickedUp, .orderOnTheWay, .courierNearby,
            .courierWaiting, .orderDelivered, .orderClosed, .attemptFailed, .orderCancelled, .cancellationRequested,
            .cancellationDenied, .orderReturning, .orderReturned, .orderDisposed, .orderReopened, .eventVoided,
            .etaChanged, .courierLocation, .orderBatched:
            nil
        }
    }
}
