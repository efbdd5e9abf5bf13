internal import APNs
private import Crypto
private import HTTP2
internal import Runtime
internal import Service
private import Tracking

/// The APNs clients of this process: one for each signing key and environment, shared by the apps that use the key.
struct PushClients {
    let gateway: APNsGateway
    let clients: [APNsClient]

    init(_ registration: Registration, _ service: Configuration.PushService, loop: EventLoop) throws(Failure) {
        var routes: [APNsGateway.Route: APNsClient] = [:]
        var made: [String: APNsClient] = [:]
        var sources: [String: ProviderTokenSource] = [:]
        for app in registration.apps {
            guard let key = app.settings.keys.first else { continue }
            let team = app.settings.teamID
            let source: ProviderTokenSource
            if let known = sources["\(team) \(key.id)"] { source = known } else { source = try Self.source(team, key) }
            sources["\(team) \(key.id)"] = source
            for environment in [APNsEnvironment.sandbox, .production] {
                let name = "\(team) \(key.id) \(environment)"
                let client: APNsClient
                if let known = made[name] {
                    client = known
                } else {
                    client = try Self.client(environment, service, source, loop)
                }
                made[name] = client
                routes[APNsGateway.Route(app: app.number, environment: environment)] = client
            }
        }
        gateway = APNsGateway(clients: routes)
        clients = Array(made.values)
    }

    private static func source(_ team: String, _ key: Configuration.SigningKey) throws(Failure) -> ProviderTokenSource {
        do {
            let secret = try ES256PrivateKey(pem: try Files.readText(key.file))
            return ProviderTokenSource(team: team, key: ProviderKey(id: key.id, privateKey: secret))
        } catch {
            throw Failure(.usage, "APNs key \(key.id): \(error)")
        }
    }

    private static func client(
        _ environment: APNsEnvironment,
        _ service: Configuration.PushService,
        _ source: ProviderTokenSource,
        _ loop: EventLoop
    ) throws(Failure) -> APNsClient {
        var endpoint: APNsEndpoint
        let own: Configuration.Address?
        switch environment {
        case .sandbox: (endpoint, own) = (.sandbox, service.sandbox)
        case .production: (endpoint, own) = (.production, service.production)
        }
        if let own { (endpoint.host, endpoint.port) = (own.host, own.port) }
        if let file = service.certificateAuthority { endpoint.trust = .file(file) }
        do throws(HTTP2Error) {
            return try APNsClient(loop: loop, endpoint: endpoint, tokens: source)
        } catch {
            throw Failure(.usage, "APNs at \(endpoint.host):\(endpoint.port): \(error)")
        }
    }
}
