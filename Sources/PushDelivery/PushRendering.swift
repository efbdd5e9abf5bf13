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
        if let channel = push.broadcast { return broadcast(push, on: channel, in: app) }
        return APNsRequest(
            token: push.token,
            topic: push.isAlert ? bundleID(push) : topic(bundleID: push.bundleID),
            pushType: push.isAlert ? .alert : .liveActivity,
            priority: push.intention.priority >= 10 ? .immediate : .considerate,
            expiration: (push.now + push.intention.expiresAfter).seconds,
            apnsID: push.apnsID,
            collapseID: collapseID(push),
            payload: Payload(push, in: app).bytes
        )
    }

    /// To all that listen. APNs stores the newest push of a channel for phones that are away, for eight hours at most
    /// (contract 6.2).
    private static func broadcast(_ push: OutgoingPush, on channel: ChannelID, in app: AppRendering) -> APNsRequest {
        APNsRequest(
            channel: channel.value,
            bundleID: bundleID(push),
            priority: push.intention.priority >= 10 ? .immediate : .considerate,
            expiration: (push.now + min(push.intention.expiresAfter, longestStorage)).seconds,
            apnsID: push.apnsID,
            payload: Payload(push, in: app).bytes
        )
    }

    private static let longestStorage = Duration.seconds(8 * 3600)
    private static let suffix = ".push-type.liveactivity"

    /// The topic of an app's cards: its bundle id with the suffix, once (field case P47).
    package static func topic(bundleID: String) -> String { bare(bundleID) + suffix }

    private static func bundleID(_ push: OutgoingPush) -> String { bare(push.bundleID) }

    /// Without the suffix, also when the app was set up with it.
    private static func bare(_ bundleID: String) -> String {
        bundleID.hasSuffix(suffix) ? String(bundleID.dropLast(suffix.count)) : bundleID
    }

    /// The same for the repeat of a start, another one for any other card (contract rule 19); an alert takes the place of an
    /// earlier one of its order.
    private static func collapseID(_ push: OutgoingPush) -> String? {
        switch push.intention.verb {
        case .start: "start-" + push.name(of: .card)
        case .alert: push.thread
        case .update, .end, .openChannel, .closeChannel: nil
        }
    }
}
