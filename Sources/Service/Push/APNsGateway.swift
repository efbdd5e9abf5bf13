package import APNs
internal import Crypto
internal import PostgresStore
package import PushDelivery
internal import Runtime
package import Tracking

/// The APNs clients of this process, by app and environment: those never share connections.
package final class APNsGateway: PushGateway {
    package struct Route: Hashable, Sendable {
        package var app: Int32
        package var environment: APNsEnvironment
        package init(app: Int32, environment: APNsEnvironment) {
            self.app = app
            self.environment = environment
        }
    }

    /// What leads to APNs on a route: pushes and channels have connections of their own.
    package struct Clients: Sendable {
        package var pushes: APNsClient
        package var channels: APNsChannelClient
        package init(pushes: APNsClient, channels: APNsChannelClient) {
            self.pushes = pushes
            self.channels = channels
        }
    }

    /// Under the ten seconds within which a claim may reach the socket.
    private static let deadline = Duration.seconds(10)

    private let clients: Locked<[Route: Clients]>
    /// By app; one that is missing has the built-in contract.
    private let renderings = Locked<[Int32: AppRendering]>([:])
    private let standings = Locked<[Int32: AppStanding]>([:])
    /// Tokens that APNs called bad: what is sent to one again has connections of its own, as every such answer costs the
    /// streams of those beside it (P10).
    private let badTokens = Locked<RecentTokens>(RecentTokens())
    private let stopped: @Sendable (Int32, AppStanding.Stop) -> Void

    /// `stopped` is told when the pushes of an app, by its number, begin to wait; it must not block.
    package init(stopped: @escaping @Sendable (Int32, AppStanding.Stop) -> Void) {
        clients = Locked([:])
        self.stopped = stopped
    }

    /// Goes over to other clients and contracts, after keys or files were replaced; pushes under way stay with theirs.
    package func replace(_ routes: [Route: Clients], renderings: [Int32: AppRendering]) {
        clients.withLock { $0 = routes }
        self.renderings.withLock { $0 = renderings }
        // What they were stopped for may be mended: the next answer tells.
        standings.withLock { $0 = [:] }
    }

    /// Apps whose pushes wait now.
    package var stoppedApps: Int { standings.withLock { $0.values.count { !$0.isOpen(at: .now) } } }

    /// How far APNs' clock is ahead of ours in seconds, the largest of all routes; nil: nothing was answered yet.
    package var clockSkew: Int64? {
        clients.withLock { $0.values.compactMap(\.pushes.clockSkew).max { abs($0) < abs($1) } }
    }

    package func isOpen(_ app: Directory.App) -> Bool {
        standings.withLock { $0[app.number]?.isOpen(at: .now) ?? true }
    }

    package func send(_ push: ClaimedPush, app: Directory.App, now: Instant) async -> Delivery {
        let token: String
        switch push.token {
        case .known(let known): token = known
        case .none: token = ""
        case .gone: return Delivery(tokenGone)
        case .unreadable: return Delivery(unreadable)
        }
        let environment = push.intention.settings.environment
        guard let client = clients.withLock({ $0[Route(app: app.number, environment: environment)] }) else {
            return Delivery(unconfigured)
        }
        if push.intention.verb.isOfChannel {
            return Delivery(await manage(push.intention, app, client.channels))
        }
        let rendering = renderings.withLock { $0[app.number] } ?? AppRendering()
        var request = PushRendering.request(
            for: OutgoingPush(
                order: push.card.order,
                device: push.card.device,
                incarnation: push.card.incarnation,
                intention: push.intention,
                bundleID: app.bundleID,
                token: token,
                stamp: push.stamp,
                apnsID: push.claim.description,
                now: now
            ),
            in: rendering
        )
        request.isDoubtful = badTokens.withLock { $0.contains(token) }
        let outcome = await client.pushes.send(request, deadline: Self.deadline)
        let suspectsSettings = note(outcome, app.number)
        if case .quarantineToken = Remedy(for: outcome) { badTokens.withLock { $0.add(token) } }
        return Delivery(
            PushOutcome(outcome, suspectsSettings: suspectsSettings),
            bytes: request.payload.count,
            contract: rendering.contractID(for: push.intention)
        )
    }

    /// Makes the order's channel, or deletes it. APNs keeps the newest push for phones that are away: what an order tells is
    /// little and worth it (sender rule 49).
    private func manage(
        _ intention: Intention,
        _ app: Directory.App,
        _ channels: APNsChannelClient
    ) async -> PushOutcome {
        do throws(APNsChannelError) {
            guard let channel = intention.channel else {
                let made = try await channels.create(bundleID: app.bundleID, storesNewest: true)
                return .channelOpened(ChannelID(made.id))
            }
            try await channels.delete(channel.value, bundleID: app.bundleID)
            return .channelClosed
        } catch {
            let suspectsSettings = note(error.outcome, app.number)
            return PushOutcome(error.outcome, suspectsSettings: suspectsSettings)
        }
    }

    /// The device withdrew its token between the decision and the claim.
    private var tokenGone: PushOutcome {
        .refused(status: 0, reason: "noToken", remedy: .forgetToken, deadSince: nil)
    }

    /// Another master key than the one it was sealed with: an operator's mistake, so the token is not forgotten.
    private var unreadable: PushOutcome {
        .refused(status: 0, reason: "tokenUnreadable", remedy: .retry, deadSince: nil)
    }

    /// No key for this environment: an operator's mistake that may be mended, so the state is offered again.
    private var unconfigured: PushOutcome {
        .refused(status: 0, reason: "noKeyForEnvironment", remedy: .retry, deadSince: nil)
    }

    /// Whether the app's own settings are as likely at fault as the token.
    private func note(_ outcome: APNsOutcome, _ app: Int32) -> Bool {
        let (stop, suspectsSettings) = standings.withLock {
            let stop = $0[app, default: AppStanding()].heard(outcome, at: .now)
            return (stop, $0[app]?.suspectsSettings == true)
        }
        if let stop { stopped(app, stop) }
        return suspectsSettings
    }
}
