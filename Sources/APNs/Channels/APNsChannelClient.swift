private import Crypto
package import HTTP2
private import JSONText
package import Runtime

/// Makes, reads and deletes the channels of an app, at the management hosts of one environment and with a client of its
/// own: connections to those hosts take no pushes.
///
/// Live for as long as `run()` runs. Channels live on their own: remember their ids, and delete them after the last end.
package final class APNsChannelClient: Service {
    private let client: APNsClient
    private let deadline: Duration

    /// `endpoint` is a management endpoint. Each call is answered within `deadline`.
    ///
    /// - Throws: `badConfiguration` when the trusted certificates cannot be read.
    package init(
        loop: EventLoop,
        endpoint: APNsEndpoint,
        tokens: ProviderTokenSource,
        settings: APNsClientSettings = .management,
        deadline: Duration = .seconds(10),
        onConnection: @escaping @Sendable (APNsConnectionEvent) -> Void = { _ in }
    ) throws(HTTP2Error) {
        self.deadline = deadline
        client = try APNsClient(
            loop: loop,
            endpoint: endpoint,
            tokens: tokens,
            settings: settings,
            onConnection: onConnection
        )
    }

    /// Connects when there is something to ask, until cancelled; then lets what is under way finish.
    package func run() async throws { try await client.run() }

    /// Lets what is under way finish and closes; `run()` ends then.
    package func drain() async { await client.drain() }

    /// Makes a channel. Its policy stays as it is for its life.
    package func create(bundleID: String, storesNewest: Bool) async throws(APNsChannelError) -> APNsChannel {
        let response = try await ask(.create(storesNewest: storesNewest), bundleID)
        guard let id = response.headers["apns-channel-id"], !id.isEmpty else { throw .unreadable("no channel id") }
        return APNsChannel(id: id, storesNewest: storesNewest)
    }

    /// Throws a refusal with `ChannelNotRegistered` when there is no such channel.
    package func read(_ id: String, bundleID: String) async throws(APNsChannelError) -> APNsChannel {
        let response = try await ask(.read(id: id), bundleID)
        guard let policy = (try? JSON.parse(response.body))?["message-storage-policy"]?.int64Value else {
            throw .unreadable("no storage policy")
        }
        return APNsChannel(id: id, storesNewest: policy == 1)
    }

    /// Deletes a channel for good; what APNs has stored may still reach phones.
    package func delete(_ id: String, bundleID: String) async throws(APNsChannelError) {
        _ = try await ask(.delete(id: id), bundleID)
    }

    /// The ids of all channels of an app.
    package func list(bundleID: String) async throws(APNsChannelError) -> [String] {
        let response = try await ask(.list, bundleID)
        guard let channels = (try? JSON.parse(response.body))?["channels"]?.arrayValue else {
            throw .unreadable("no list of channels")
        }
        return channels.compactMap(\.stringValue)
    }

    private func ask(
        _ action: ChannelRequest.Action,
        _ bundleID: String
    ) async throws(APNsChannelError) -> HTTP2ClientResponse {
        let request = ChannelRequest(action: action, bundleID: bundleID, requestID: UUID128.random().description)
        if let problem = request.problem {
            throw APNsChannelError(outcome: .unsent(APNsFailure(.invalidRequest, problem)))
        }
        let exchange = await client.exchange(.channels(request), deadline: deadline)
        guard let response = exchange.response, (200..<300).contains(response.status) else {
            throw APNsChannelError(outcome: exchange.outcome)
        }
        return response
    }
}

extension APNsChannelError {
    /// An answer that says yes without what was asked for.
    fileprivate static func unreadable(_ detail: String) -> APNsChannelError {
        APNsChannelError(outcome: .unknown(APNsFailure(.lost, "the answer holds \(detail)")))
    }
}
