internal import APNs
private import Crypto
private import HTTP2
private import PushDelivery
internal import Runtime
internal import Service
internal import Tracking

/// The APNs clients of this process: one for each signing key and environment, shared by the apps that use the key.
final class PushClients: Service {
    /// Two apps with equal ones share connections; a changed key file and a further app make another.
    private struct Identity: Hashable {
        let team: String
        let keyID: String
        let keyDigest: [UInt8]
        let environment: APNsEnvironment
        /// Of all apps that use the key: one that is added later fails on connections that are there already (contract
        /// 1.5.7).
        let bundleIDs: Set<String>
    }

    /// What a configuration changes.
    private struct Change {
        /// To be run.
        var new: [APNsGateway.Clients] = []
        /// To be drained.
        var unused: [APNsGateway.Clients] = []
    }

    let gateway: APNsGateway
    private let service: Configuration.PushService
    private let loop: EventLoop
    private let clients = Locked<[Identity: APNsGateway.Clients]>([:])
    private let starts: AsyncStream<APNsGateway.Clients>
    private let start: AsyncStream<APNsGateway.Clients>.Continuation
    /// Connections that the first push should not wait for: to the environments that apps name.
    private let warmed = Locked<[APNsClient]>([])

    init(
        _ registration: Registration,
        _ service: Configuration.PushService,
        loop: EventLoop,
        log: Log
    ) throws(Failure) {
        let names = Dictionary(registration.apps.map { ($0.number, $0.settings.id) }) { first, _ in first }
        gateway = APNsGateway { app, stop in log.report(stop, app: names[app] ?? "\(app)") }
        self.service = service
        self.loop = loop
        (starts, start) = AsyncStream.makeStream()
        for new in try take(registration).new { start.yield(new) }
    }

    /// Keeps the clients connected, and those that a reload adds.
    func run() async throws {
        await withDiscardingTaskGroup { group in
            for await clients in starts {
                group.addTask(executorPreference: loop.tasks) { try? await clients.pushes.run() }
                group.addTask(executorPreference: loop.tasks) { try? await clients.channels.run() }
                guard warmed.withLock({ $0.contains { $0 === clients.pushes } }) else { continue }
                group.addTask { _ = await clients.pushes.warmUp(within: .seconds(5)) }
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
            for old in change.unused {
                group.addTask { await old.pushes.drain() }
                group.addTask { await old.channels.drain() }
            }
        }
        for new in change.new { start.yield(new) }
    }

    /// When a key or contract cannot be read, everything stays as it is.
    private func take(_ registration: Registration) throws(Failure) -> Change {
        let renderings = try Self.renderings(registration)
        let known = clients.withLock { $0 }
        var used: [Identity: APNsGateway.Clients] = [:]
        var routes: [APNsGateway.Route: APNsGateway.Clients] = [:]
        var warm: [APNsClient] = []
        for app in registration.apps {
            guard let key = app.settings.keys.first else { continue }
            for environment in [APNsEnvironment.sandbox, .production] {
                let (identity, pem) = try Self.identity(app.settings.teamID, key, environment, registration)
                if used[identity] == nil { used[identity] = known[identity] }
                if used[identity] == nil { used[identity] = try makeClients(identity, pem) }
                routes[APNsGateway.Route(app: app.number, environment: environment)] = used[identity]
                if environment.name == app.settings.environment.rawValue {
                    warm += used[identity].map { [$0.pushes] } ?? []
                }
            }
        }
        gateway.replace(routes, renderings: renderings)
        let (kept, first) = (used, warm)
        warmed.withLock { $0 = first }
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
        _ environment: APNsEnvironment,
        _ registration: Registration
    ) throws(Failure) -> (Identity, pem: String) {
        let pem: String
        do throws(FileError) { pem = try Files.readText(key.file) } catch {
            throw Failure(.usage, "APNs key \(key.id): \(error)")
        }
        let sharing = registration.apps.filter { $0.settings.teamID == team && $0.settings.keys.first?.id == key.id }
        let identity = Identity(
            team: team,
            keyID: key.id,
            keyDigest: SHA256.digest(Array(pem.utf8)),
            environment: environment,
            bundleIDs: Set(sharing.map(\.settings.bundleID))
        )
        return (identity, pem)
    }

    private func makeClients(_ identity: Identity, _ pem: String) throws(Failure) -> APNsGateway.Clients {
        let endpoints = service.endpoints(identity.environment)
        do {
            let key = ProviderKey(id: identity.keyID, privateKey: try ES256PrivateKey(pem: pem))
            let tokens = ProviderTokenSource(team: identity.team, key: key)
            return APNsGateway.Clients(
                pushes: try APNsClient(
                    loop: loop,
                    endpoint: endpoints.pushes,
                    tokens: tokens,
                    settings: service.settings()
                ),
                channels: try APNsChannelClient(
                    loop: loop,
                    endpoint: endpoints.channels,
                    tokens: tokens,
                    settings: service.settings(.management)
                )
            )
        } catch {
            throw Failure(.usage, "APNs key \(identity.keyID) for \(endpoints.pushes.host): \(error)")
        }
    }
}

extension Configuration.PushService {
    /// Apple's addresses of an environment, or what stands in for them.
    func endpoints(_ environment: APNsEnvironment) -> (pushes: APNsEndpoint, channels: APNsEndpoint) {
        switch environment {
        case .sandbox: (endpoint(.sandbox, sandbox), endpoint(.sandboxManagement, sandboxManagement))
        case .production: (endpoint(.production, production), endpoint(.productionManagement, productionManagement))
        }
    }

    func settings(_ usual: APNsClientSettings = APNsClientSettings()) -> APNsClientSettings {
        var settings = usual
        if let proxy { settings.proxy = HTTP2Proxy(host: proxy.host, port: proxy.port) }
        return settings
    }

    private func endpoint(_ apple: APNsEndpoint, _ own: Configuration.Address?) -> APNsEndpoint {
        var endpoint = apple
        if let own { (endpoint.host, endpoint.port) = (own.host, own.port) }
        if let file = certificateAuthority { endpoint.trust = .file(file) }
        return endpoint
    }
}

extension Log {
    /// An app's pushes wait: what the operator is to do about it.
    fileprivate func report(_ stop: AppStanding.Stop, app: String) {
        switch stop {
        case .unreachable:
            warning("APNs cannot be reached; pushes wait", ["app": .string(app)])
        case .key(let reason):
            error(
                "APNs refuses the signing key; pushes wait: check it with `doorstep app check`",
                ["app": .string(app), "reason": .string(reason)]
            )
        case .topic(let reason):
            error(
                "APNs refuses the app's topic; pushes wait: check bundleId with `doorstep app check`",
                ["app": .string(app), "reason": .string(reason)]
            )
        case .badTokens(let percent):
            error(
                "APNs calls most tokens bad; pushes wait: is `environment` that of the app's builds?",
                ["app": .string(app), "percent": .integer(Int64(percent))]
            )
        }
    }
}
