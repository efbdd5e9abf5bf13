private import APNs
private import Crypto
private import PushDelivery
internal import Runtime
private import Tracking

/// Asks APNs about an app's key and topic with a push to a token that nobody has. It judges them first: that the token is
/// bad is the answer of a right key and a right topic.
struct AppProbe {
    let app: Configuration.App
    let environment: Configuration.App.Environment
    let service: Configuration.PushService

    private static let limit = Duration.seconds(10)
    /// More than this apart, provider tokens come near to being refused.
    private static let skewLimit: Int64 = 60

    func run(on loop: EventLoop) async -> [AppFinding] {
        var findings: [AppFinding] = []
        if app.keys.isEmpty { findings.append(finding("key", .wrong(["no key is configured: name one in `keys`"]))) }
        for key in app.keys { findings += await ask(key, on: loop) }
        return findings
    }

    private func ask(_ key: Configuration.SigningKey, on loop: EventLoop) async -> [AppFinding] {
        let name = "key \(key.id)"
        let provider: ProviderKey
        do {
            let pem = try Files.readText(key.file)
            provider = ProviderKey(id: key.id, privateKey: try ES256PrivateKey(pem: pem))
        } catch {
            return [finding(name, .wrong(["\(key.file) cannot be used: \(error)"]))]
        }
        let client: APNsClient
        do {
            let endpoints = service.endpoints(environment == .sandbox ? .sandbox : .production)
            client = try APNsClient(
                loop: loop,
                endpoint: endpoints.pushes,
                tokens: ProviderTokenSource(team: app.teamID, key: provider),
                settings: service.settings()
            )
        } catch {
            return [finding("apns", .wrong(["certificateAuthority or the like cannot be used: \(error)"]))]
        }
        let outcome = await withTaskGroup { group in
            group.addTask(executorPreference: loop.tasks) { try? await client.run() }
            let outcome = await client.send(probe, deadline: Self.limit)
            group.cancelAll()
            return outcome
        }
        return judge(outcome, name, skew: client.clockSkew)
    }

    private var probe: APNsRequest {
        APNsRequest(
            token: String(repeating: "0", count: 160),
            topic: PushRendering.topic(bundleID: app.bundleID),
            priority: .considerate,
            expiration: 0,
            apnsID: UUID128.random().description,
            payload: Array(#"{"aps":{}}"#.utf8)
        )
    }

    private func judge(_ outcome: APNsOutcome, _ key: String, skew: Int64?) -> [AppFinding] {
        guard case .answered(let answer) = outcome else {
            return [finding(key, .unknown("APNs could not be asked: \(Self.cause(outcome))"))]
        }
        let reason = answer.reason?.rawValue ?? "\(answer.status)"
        let clock = skew.flatMap { abs($0) > Self.skewLimit ? $0 : nil }.map {
            finding("clock", .wrong(["this machine's clock is \(-$0) s ahead of APNs'; check NTP"]))
        }
        let verdicts: [AppFinding] =
            switch Remedy(for: answer) {
            case .quarantineToken, .none, .forgetToken:
                [finding(key, .fine(nil)), finding("topic", .fine(PushRendering.topic(bundleID: app.bundleID)))]
            case .stopKey:
                [
                    finding(
                        key,
                        .wrong([
                            "APNs says \(reason): check keys[].id, teamId and that the key is for \(environment.rawValue) "
                                + "and not revoked"
                        ])
                    )
                ]
            case .stopTopic:
                [
                    finding(key, .fine(nil)),
                    finding("topic", .wrong(["APNs says \(reason): check bundleId, and that it is the team's"])),
                ]
            case .checkClock, .keepProviderToken:
                [finding(key, .wrong(["APNs says \(reason): check this machine's clock"]))]
            case .backOff, .slowDownToken, .sendAgain, .sendNewestState:
                [finding(key, .unknown("APNs says \(reason); ask again later"))]
            case .forgetChannel, .deleteChannels, .shrinkPayload, .drop:
                [finding(key, .wrong(["APNs says \(reason)"]))]
            }
        return verdicts + (clock.map { [$0] } ?? [])
    }

    private static func cause(_ outcome: APNsOutcome) -> String {
        switch outcome {
        case .answered: ""
        case .unsent(let failure), .unknown(let failure): failure.detail
        }
    }

    private func finding(_ name: String, _ verdict: AppFinding.Verdict) -> AppFinding {
        AppFinding(app.id, environment, name, verdict)
    }
}
