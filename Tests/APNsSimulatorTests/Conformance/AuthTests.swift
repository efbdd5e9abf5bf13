import Crypto
import JSONText
import Testing

@testable import APNsSimulator

@Suite struct AuthTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
    }

    private mutating func reason(_ authorization: String, connection: UInt64 = 1) -> String? {
        simulated.send(
            to: simulated.phone.startToken.value,
            SimulatedWorld.start(at: simulated.seconds),
            headers: ["authorization": authorization],
            connection: connection
        ).refusal?.reason
    }

    /// A further key of the same team, unless another is named.
    private mutating func register(
        _ id: String,
        team: String = SimulatedWorld.team,
        environments: Set<PushEnvironment> = Set(PushEnvironment.allCases),
        topics: Set<String>? = nil,
        related: String? = nil
    ) throws -> String {
        let key = try ES256PrivateKey.generate()
        simulated.world.keys.register(
            .init(
                id: id,
                team: team,
                publicKey: key.publicKey,
                environments: environments,
                bundleIDs: topics,
                relatedID: related
            )
        )
        return try simulated.bearer(key: key, keyID: id, team: team)
    }

    private var claims: String { #"{"iss":"\#(SimulatedWorld.team)","iat":"\#(simulated.seconds)"}"# }

    @Test mutating func `behaviour 18: text iat, no alg and DER are taken as APNs takes them, and noted`() throws {
        let lax = try simulated.bearer(#"{"kid":"\#(SimulatedWorld.keyID)"}"#, claims)
        #expect(reason(lax) == nil)
        #expect(simulated.world.violations.counts[.laxProviderToken] == 1)
        #expect(try reason(simulated.bearer(isDER: true), connection: 2) == nil)
        #expect(simulated.world.violations.counts[.laxProviderToken] == 2)
    }

    @Test mutating func `behaviour 18: strict mode refuses the lax forms`() throws {
        simulated.world.knobs.auth.isStrict = true
        let lax = try simulated.bearer(#"{"kid":"\#(SimulatedWorld.keyID)"}"#, claims)
        #expect(reason(lax) == "InvalidProviderToken")
        #expect(try reason(simulated.bearer(isDER: true)) == "InvalidProviderToken")
        #expect(reason(simulated.token) == nil)
    }

    @Test mutating func `behaviour 18: another algorithm is not believed`() throws {
        let token = try simulated.bearer(#"{"alg":"none","kid":"\#(SimulatedWorld.keyID)"}"#, claims)
        #expect(reason(token) == "InvalidProviderToken")
    }

    @Test mutating func `behaviour 19: another signer, an unknown key and another team are not believed`() throws {
        let stranger = try ES256PrivateKey.generate()
        #expect(try reason(simulated.bearer(key: stranger)) == "InvalidProviderToken")
        #expect(try reason(simulated.bearer(keyID: "KEY0000009")) == "InvalidProviderToken")
        #expect(try reason(simulated.bearer(team: "TEAM000009")) == "InvalidProviderToken")
        #expect(reason("bearer nonsense") == "InvalidProviderToken")
        #expect(reason("Basic abc") == "InvalidProviderToken")
        let none = simulated.send(to: "ab", [:], headers: ["authorization": nil]).refusal
        #expect(none == Refusal(status: 403, reason: "MissingProviderToken"))
    }

    @Test mutating func `behaviour 19: an hour-old token is taken, a second later it has expired`() throws {
        #expect(try reason(simulated.bearer(age: 3600)) == nil)
        #expect(try reason(simulated.bearer(age: 3601), connection: 2) == "ExpiredProviderToken")
        #expect(try reason(simulated.bearer(age: -3601), connection: 3) == "InvalidProviderToken")
    }

    @Test mutating func `behaviour 19: a token that was taken expires while it is in use, and a new one helps`() throws
    {
        let token = simulated.token
        #expect(reason(token) == nil)
        simulated.pass(seconds: 3601)
        #expect(reason(token) == "ExpiredProviderToken")
        #expect(try reason(simulated.bearer()) == nil)
    }

    @Test mutating func `behaviour 19: with the knob an expired token spoils its connection`() throws {
        simulated.world.knobs.auth.expiryIsFinal = true
        #expect(try reason(simulated.bearer(age: 3601)) == "ExpiredProviderToken")
        #expect(reason(simulated.token) == "ExpiredProviderToken")
        #expect(reason(simulated.token, connection: 2) == nil)
    }

    @Test mutating func `behaviour 20: a connection may change its token once in 20 minutes`() throws {
        let first = try simulated.bearer(age: 3)
        let second = try simulated.bearer(age: 2)
        let third = try simulated.bearer(age: 1)
        #expect(reason(first) == nil)
        #expect(reason(second) == nil)
        simulated.pass(seconds: 19 * 60)
        #expect(reason(third) == "TooManyProviderTokenUpdates")
        #expect(reason(second) == nil)
        #expect(reason(first) == nil)
        #expect(reason(third, connection: 2) == nil)
        simulated.pass(seconds: 60)
        #expect(reason(third) == nil)
    }

    @Test mutating func `behaviour 21: the first push binds the team`() throws {
        let otherTeam = try register("KEYTEAM002", team: "TEAM000002")
        #expect(reason(simulated.token) == nil)
        #expect(reason(otherTeam) == "UnrelatedKeyIdInToken")
        simulated.world.knobs.auth.otherTeam = .invalidProviderToken
        #expect(reason(otherTeam) == "InvalidProviderToken")
        #expect(reason(otherTeam, connection: 2) == nil)
    }

    @Test mutating func `behaviour 21: a key of the other environment is known and refused, in both spellings`() throws
    {
        let production = try register("KEYPROD001", environments: [.production])
        #expect(reason(production) == "BadEnvironmentKeyIdInToken")
        simulated.world.knobs.auth.otherEnvironment = .badEnvironmentKey
        #expect(reason(production) == "BadEnvironmentKeyInToken")
    }

    @Test mutating func `behaviour 22: team-scoped keys follow each other, topic-specific ones only their relatives`()
        throws
    {
        let topics: Set<String> = [SimulatedWorld.bundleID]
        let second = try register("KEYTEAM001")
        let specific = try register("KEYTOPIC01", topics: topics, related: "KEYTOPIC02")
        let related = try register("KEYTOPIC02", topics: topics)
        let stranger = try register("KEYTOPIC03", topics: topics)
        #expect([simulated.token, second, specific].map { reason($0) } == [nil, nil, "UnrelatedKeyIdInToken"])
        let onSpecific = [specific, related, stranger, second].map { reason($0, connection: 2) }
        #expect(onSpecific == [nil, nil, "UnrelatedKeyIdInToken", "UnrelatedKeyIdInToken"])
    }

    @Test mutating func `behaviour 22: a topic-specific key serves its topics only`() throws {
        let other = try register("KEYTOPIC01", topics: ["app.doorstep.other"])
        #expect(reason(other) == "TopicDisallowed")
    }

    @Test mutating func `behaviour 21: a bundle id added after a connection's first push fails on it alone`() throws {
        #expect(reason(simulated.token) == nil)
        simulated.world.register(.init(id: "late", bundleID: "app.doorstep.late"))
        _ = try simulated.ask("POST", "/phones", ["id": "P2", "app": "late"])
        let token = simulated.world.phones[1].startToken.value
        let topic: [String: String?] = ["apns-topic": "app.doorstep.late.push-type.liveactivity"]
        func answer(_ connection: UInt64) -> String? {
            let start = SimulatedWorld.start(at: simulated.seconds)
            return simulated.send(to: token, start, headers: topic, connection: connection).refusal?.reason
        }
        #expect(answer(1) == "TopicDisallowed")
        #expect(answer(2) == nil)
        simulated.world.knobs.requests.unknownTopic = .badTopic
        #expect(answer(1) == "BadTopic")
        #expect(reason(simulated.token) == nil)
    }

    @Test mutating func `behaviour 22: a key that is registered with other topics serves those at once`() throws {
        _ = try register("KEYTOPIC01", topics: ["app.doorstep.other"])
        let wider = try register("KEYTOPIC01", topics: ["app.doorstep.other", SimulatedWorld.bundleID])
        #expect(reason(wider) == nil)
        let narrower = try register("KEYTOPIC01", topics: ["app.doorstep.other"])
        #expect(reason(narrower) == "TopicDisallowed")
    }

    @Test mutating func `behaviour 22: a revoked key is refused at once`() {
        #expect(reason(simulated.token) == nil)
        simulated.world.keys.revoke(SimulatedWorld.keyID)
        #expect(reason(simulated.token) == "InvalidProviderToken")
        simulated.world.knobs.auth.revokedKey = .forbidden
        #expect(reason(simulated.token) == "Forbidden")
    }

    @Test mutating func `behaviour 23: a certificate is no good for Live Activities, whatever the token says`() {
        let key = World.ConnectionKey(environment: .sandbox, id: 1)
        simulated.world.opened(key, at: simulated.now)
        simulated.world.showedCertificate(key)
        #expect(reason(simulated.token) == "BadCertificate")
        let alert: [String: String?] = [
            "authorization": nil, "apns-topic": SimulatedWorld.bundleID, "apns-push-type": "alert",
        ]
        let ordinary = simulated.send(to: simulated.phone.deviceToken, ["aps": ["alert": "Here"]], headers: alert)
        #expect(ordinary.refusal == nil)
        simulated.world.knobs.auth.takesCertificates = true
        #expect(reason("") == nil)
    }
}
