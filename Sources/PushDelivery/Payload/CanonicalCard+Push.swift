internal import ActivityContract
import Tracking

extension CanonicalCard {
    /// What a push says, in the terms contracts are written in.
    init(_ push: OutgoingPush) {
        let (attributes, content) = (push.intention.attributes, push.intention.content)
        self.init(
            attributes: DoorstepAttributes(
                order: push.order.value,
                incarnation: push.incarnation,
                displayNumber: attributes.displayNumber,
                restaurant: attributes.restaurant,
                promisedAt: attributes.promisedAt?.seconds
            ),
            state: DoorstepAttributes.ContentState(
                phase: DoorstepAttributes.Phase(content.phase),
                eta: content.eta?.seconds,
                late: content.isLate,
                stale: content.isStale,
                courier: content.courierName,
                attemptFailed: content.attemptFailed,
                pendingCommand: content.pendingCommand,
                asOf: push.intention.asOf.seconds,
                revision: push.intention.orderRevision
            ),
            progress: content.progress,
            now: push.now.seconds
        )
    }
}

extension DoorstepAttributes.Phase {
    init(_ phase: Phase) {
        self =
            switch phase {
            case .placed: .placed
            case .accepted: .accepted
            case .onTheWay: .onTheWay
            case .courierWaiting: .courierWaiting
            case .delivered: .delivered
            case .cancelled: .cancelled
            case .failed: .failed
            case .returned: .returned
            }
    }
}
