internal import APNs
private import Crypto
private import HTTP2
private import PushDelivery
internal import Runtime
internal import Service
private import Tracking

/// The APNs clients of this process: one for each signing key and environment, shared by the apps that use the key.
final class PushClients: Service {
    /// Two apps with equal ones share connections; a changed key file makes another.
    private struct Identity: Hashable {
        let team: String
        let keyID: String
        let keyDigest: [UInt8]
        let environment: APNsEnvironment
    }

    /// What a configuration changes.
    private struct Change {
        /// To be run.
        var new: [APNsClient] = []
        /// To be drained.
        var unused: [APNsClient] = []
    }

    let gateway = APNsGateway(clients: [:])
    private let service: Configuration.PushService
    private let loop: EventLoop
    private let clients = Locked<[Identity: APNsClient]>([:])
    private let starts: AsyncStream<APNsClient>
    private let start: AsyncStream<APNsClient>.Continuation

    init(_ registration: Registration, _ service: Configuration.PushService, loop: EventLoop) throws(Failure) {
        self.service = service
        self.loop = loop
        (starts, start) = AsyncStream.makeStream()
        for client in try take(registration).new { start.yield(client) }
    }

    /// Keeps the clients connected, and those that a reload adds.
    func run() async throws {
        await withDiscardingTaskGroup { group in
            for await client in starts {
                group.addTask(executorPreference: loop.tasks) { try? await client.run() }
            }
        }
    }

    /// Goes over to the keys of a new configuration; what is under way with old ones is still answered.
    ///
    /// Pushes with a new key wait until the connections of old ones are closed (contract rule 12): its client connects
    /// only when it runs.
    func reload(_ registration: Registration) async throws(Failure) {
        let change = try take(registration)
        await withDiscardingTaskGroup { group in
            for client in change.unused { group.addTask { await client.drain() } }
        }
        for client in change.new { start.yield(client) }
    }

    /// When a key or contract cannot be read, everything stays as it is.
    private func take(_ registration: Registration) throws(Failure) -> Change {
        let renderings = try Self.renderings(registration)
        let known = clients.withLock { $0 }
        var used: [Identity: APNsClient] = [:]
        var routes: [APNsGateway.Route: APNsClient] = [:]
        for app in registration.apps {
            guard let key = app.settings.keys.first else { continue }
            for environment in [APNsEnvironment.sandbox, .production] {
                let (identity, pem) = try Self.identity(app.settings.teamID, key, environment)
                if used[identity] == nil { used[identity] = known[identity] }
                if used[identity] == nil { used[identity] = try client(identity, pem) }
                routes[APNsGateway.Route(app: app.number, environment: environment)] = used[identity]
            }
        }
        gateway.replace(routes, renderings: renderings)
        let kept = used
        clients.withLock { $0 = kept }
        return Change(
            new: kept.filter { known[$0.key] == nil }.map(\.value),
            unused: known.filter { kept[$0.key] == nil }.map(\.value)
        )
    }

    private static func renderings(_ registration: Registration) throws(Failure) -> [Int32: AppRendering] {
        var renderings: [Int32: AppRendering] = [:]
        var mistakes: [String] = []
        for app in registration.apps {
            let (rendering, problems) = app.settings.readContracts()
            renderings[app.number] = rendering
            mistakes += problems
        }
        guard mistakes.isEmpty else { throw Failure(.usage, mistakes) }
        return renderings
    }

    private static func identity(
        _ team: String,
        _ key: Configuration.SigningKey,
        _ environment: APNsEnvironment
    ) throws(Failure) -> (Identity, pem: String) {
        let pem: String
        do throws(FileError) { pem = try Files.readText(key.file) } catch {
            throw Failure(.usage, "APNs key \(key.id): \(error)")
        }
        let digest = SHA256.digest(Array(pem.utf8))
        return (Identity(team: team, keyID: key.id, keyDigest: digest, environment: environment), pem)
    }

    private func client(_ identity: Identity, _ pem: String) throws(Failure) -> APNsClient {
        var endpoint: APNsEndpoint
        let own: Configuration.Address?
        switch identity.environment {
        case .sandbox: (endpoint, own) = (.sandbox, service.sandbox)
        case .production: (endpoint, own) = (.production, service.production)
        }
        if let own { (endpoint.host, endpoint.port) = (own.host, own.port) }
        if let file = service.certificateAuthority { endpoint.trust = .file(file) }
        do {
            let key = ProviderKey(id: identity.keyID, privateKey: try ES256PrivateKey(pem: pem))
            let tokens = ProviderTokenSource(team: identity.team, key: key)
            return try APNsClient(loop: loop, endpoint: endpoint, tokens: tokens)
        } catch {
            throw Failure(.usage, "APNs key \(identity.keyID) for \(endpoint.host):\(endpoint.port): \(error)")
        }
    }
}
