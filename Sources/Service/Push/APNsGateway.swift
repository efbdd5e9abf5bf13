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

    /// Under the ten seconds within which a claim may reach the socket.
    private static let deadline = Duration.seconds(10)
    /// How long after a failure to connect nothing is claimed.
    private static let pause = Duration.seconds(1)

    private let clients: Locked<[Route: APNsClient]>
    /// By app; one that is missing has the built-in contract.
    private let renderings = Locked<[Int32: AppRendering]>([:])
    private let closedUntil = Locked<[Int32: MonotonicTime]>([:])

    package init(clients: [Route: APNsClient]) { self.clients = Locked(clients) }

    /// Goes over to other clients and contracts, after keys or files were replaced; pushes under way stay with theirs.
    package func replace(_ routes: [Route: APNsClient], renderings: [Int32: AppRendering]) {
        clients.withLock { $0 = routes }
        self.renderings.withLock { $0 = renderings }
    }

    package func isOpen(_ app: Directory.App) -> Bool {
        closedUntil.withLock { closed in closed[app.number].map { $0 <= .now } ?? true }
    }

    package func send(_ push: ClaimedPush, app: Directory.App, now: Instant) async -> Delivery {
        let token: String
        switch push.token {
        case .known(let known): token = known
        case .gone: return Delivery(tokenGone)
        case .unreadable: return Delivery(unreadable)
        }
        let environment = push.intention.settings.environment
        guard let client = clients.withLock({ $0[Route(app: app.number, environment: environment)] }) else {
            return Delivery(unconfigured)
        }
        let rendering = renderings.withLock { $0[app.number] } ?? AppRendering()
        let request = PushRendering.request(
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
        let outcome = await client.send(request, deadline: Self.deadline)
        note(outcome, app.number)
        return Delivery(
            PushOutcome(outcome),
            bytes: request.payload.count,
            contract: rendering.contractID(for: push.intention)
        )
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

    private func note(_ outcome: APNsOutcome, _ app: Int32) {
        guard case .unsent(let failure) = outcome else { return }
        switch failure.code {
        case .unreachable, .misconfigured, .signing:
            closedUntil.withLock { $0[app] = .now + Self.pause }
        case .invalidRequest, .refused, .lost, .deadline, .stopped:
            break
        }
    }
}
