/// All that a card can show, in Doorstep's own terms: what every contract is rendered from.
///
/// The built-in contract carries the same members, so its types are the canonical form too. Moments are Unix seconds.
package struct CanonicalCard: Hashable, Sendable {
    package var attributes: DoorstepAttributes
    package var state: DoorstepAttributes.ContentState
    /// How far along the partner says the delivery is, 0 to 1; no field of the built-in contract.
    package var progress: Double?
    /// When the push is sent; minutes are counted from it.
    package var now: Int64

    package init(
        attributes: DoorstepAttributes,
        state: DoorstepAttributes.ContentState,
        progress: Double? = nil,
        now: Int64
    ) {
        self.attributes = attributes
        self.state = state
        self.progress = progress
        self.now = now
    }
}

extension DoorstepAttributes.Phase {
    package var isFinal: Bool {
        switch self {
        case .placed, .accepted, .onTheWay, .courierWaiting: false
        case .delivered, .cancelled, .failed, .returned: true
        }
    }

    /// Whether the order ended without reaching the customer.
    package var isFailure: Bool {
        switch self {
        case .placed, .accepted, .onTheWay, .courierWaiting, .delivered: false
        case .cancelled, .failed, .returned: true
        }
    }
}
