package import Tracking

/// One push that may leave now: everything its bytes are made of.
package struct OutgoingPush: Hashable, Sendable {
    package var order: OrderID
    package var device: DeviceID
    package var incarnation: Int
    package var intention: Intention
    /// The app's bundle id, without the suffix of the topic.
    package var bundleID: String
    /// The start token for a start, the card's update token otherwise; hexadecimal.
    package var token: String
    /// The payload's timestamp in Unix seconds, higher than any before it on this card (engine rule 9).
    package var stamp: Int64
    /// A canonical lower-case UUID, new for every attempt (contract rule 18).
    package var apnsID: String
    package var now: Instant

    package init(
        order: OrderID,
        device: DeviceID,
        incarnation: Int,
        intention: Intention,
        bundleID: String,
        token: String,
        stamp: Int64,
        apnsID: String,
        now: Instant
    ) {
        self.order = order
        self.device = device
        self.incarnation = incarnation
        self.intention = intention
        self.bundleID = bundleID
        self.token = token
        self.stamp = stamp
        self.apnsID = apnsID
        self.now = now
    }
}
