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
            topic: topic(push.bundleID),
            pushType: .liveActivity,
            priority: push.intention.priority >= 10 ? .immediate : .considerate,
            expiration: (push.now + push.intention.expiresAfter).seconds,
            apnsID: push.apnsID,
            collapseID: push.intention.verb == .start ? collapseID(push) : nil,
            payload: Payload(push, in: app).bytes
        )
    }

    /// One suffix, also when the app was set up with it (field case P47).
    private static func topic(_ bundleID: String) -> String {
        let suffix = ".push-type.liveactivity"
        return bundleID.hasSuffix(suffix) ? bundleID : bundleID + suffix
    }

    /// The same for the repeat of a start, another one for any other card (contract rule 19). A digest: ids of orders are
    /// up to 255 bytes long and nobody else's business.
    private static func collapseID(_ push: OutgoingPush) -> String {
        var digest = Digest()
        digest.add(push.order.value)
        digest.add(push.device.value)
        digest.add(UInt64(push.incarnation))
        let hex = String(digest.value, radix: 16)
        return "start-" + String(repeating: "0", count: 16 - hex.count) + hex
    }
}
