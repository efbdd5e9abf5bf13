package import APNs
import Tracking

/// Turns an intention into the request that carries it.
package enum PushRendering {
    /// Writes headers and body; durations of the intention become dates from `push.now` on.
    ///
    /// The body stays under the 4096 bytes of contract 3.3 for ids within the limits of the interface: names are cut, and
    /// `ContractReport` refuses contracts that could exceed it. Whatever else APNs would refuse is found by
    /// `APNsRequest.problem` before it is sent.
    package static func request(for push: OutgoingPush, in app: AppRendering = AppRendering()) -> APNsRequest {
        APNsRequest(
            token: push.token,
            topic: push.isAlert ? bundleID(push) : bundleID(push) + suffix,
            pushType: push.isAlert ? .alert : .liveActivity,
            priority: push.intention.priority >= 10 ? .immediate : .considerate,
            expiration: (push.now + push.intention.expiresAfter).seconds,
            apnsID: push.apnsID,
            collapseID: collapseID(push),
            payload: Payload(push, in: app).bytes
        )
    }

    private static let suffix = ".push-type.liveactivity"

    /// Without the suffix, also when the app was set up with it (field case P47).
    private static func bundleID(_ push: OutgoingPush) -> String {
        push.bundleID.hasSuffix(suffix) ? String(push.bundleID.dropLast(suffix.count)) : push.bundleID
    }

    /// The same for the repeat of a start, another one for any other card (contract rule 19); an alert takes the place of an
    /// earlier one of its order.
    private static func collapseID(_ push: OutgoingPush) -> String? {
        switch push.intention.verb {
        case .start: "start-" + push.name(of: .card)
        case .alert: push.thread
        case .update, .end: nil
        }
    }
}
