import Crypto
import JSONText
import Testing

@testable import APNsSimulator

@Suite struct ProviderTokenTests {
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

    @Test mutating func `an hour-old token is taken, a second later it has expired`() throws {
        #expect(try reason(simulated.bearer(age: 3600)) == nil)
        #expect(try reason(simulated.bearer(age: 3601), connection: 2) == "ExpiredProviderToken")
        #expect(try reason(simulated.bearer(age: -3601), connection: 3) == "InvalidProviderToken")
    }

    @Test mutating func `a token that was taken expires while it is in use`() throws {
        let token = try simulated.bearer(age: 0)
        #expect(reason(token) == nil)
        simulated.pass(seconds: 3601)
        #expect(reason(token) == "ExpiredProviderToken")
    }

    @Test mutating func `another signer, an unknown key and another team are not believed`() throws {
        let stranger = try ES256PrivateKey.generate()
        #expect(try reason(simulated.bearer(key: stranger)) == "InvalidProviderToken")
        #expect(try reason(simulated.bearer(keyID: "KEY0000009")) == "InvalidProviderToken")
        #expect(try reason(simulated.bearer(team: "TEAM000009")) == "InvalidProviderToken")
        #expect(reason("bearer nonsense") == "InvalidProviderToken")
        #expect(reason("Basic abc") == "InvalidProviderToken")
    }

    @Test mutating func `another algorithm is not believed`() throws {
        let claims = #"{"iss":"\#(SimulatedWorld.team)","iat":\#(simulated.seconds)}"#
        let token = try simulated.bearer(#"{"alg":"none","kid":"\#(SimulatedWorld.keyID)"}"#, claims)
        #expect(reason(token) == "InvalidProviderToken")
    }

    @Test mutating func `a text iat and a missing alg are taken as APNs takes them, and noted`() throws {
        let claims = #"{"iss":"\#(SimulatedWorld.team)","iat":"\#(simulated.seconds)"}"#
        let token = try simulated.bearer(#"{"kid":"\#(SimulatedWorld.keyID)"}"#, claims)
        #expect(reason(token) == nil)
        #expect(simulated.world.violations.counts[.laxProviderToken] == 1)
    }

    @Test mutating func `a connection may change its token once in 20 minutes`() throws {
        let first = try simulated.bearer(age: 3)
        let second = try simulated.bearer(age: 2)
        let third = try simulated.bearer(age: 1)
        #expect(reason(first) == nil)
        #expect(reason(second) == nil)
        simulated.pass(seconds: 19 * 60)
        #expect(reason(third) == "TooManyProviderTokenUpdates")
        #expect(reason(second) == nil)
        #expect(reason(third, connection: 2) == nil)
        simulated.pass(seconds: 60)
        #expect(reason(third) == nil)
    }

    @Test mutating func `a key of the other environment and another team's key are told apart`() throws {
        let other = try ES256PrivateKey.generate()
        simulated.world.keys.register(
            .init(id: "KEYPROD001", team: SimulatedWorld.team, publicKey: other.publicKey, environments: [.production])
        )
        simulated.world.keys.register(.init(id: "KEYTEAM002", team: "TEAM000002", publicKey: other.publicKey))
        let wrongEnvironment = try simulated.bearer(key: other, keyID: "KEYPROD001")
        let otherTeam = try simulated.bearer(key: other, keyID: "KEYTEAM002", team: "TEAM000002")
        #expect(reason(simulated.token) == nil)
        #expect(reason(wrongEnvironment) == "BadEnvironmentKeyIdInToken")
        #expect(reason(otherTeam) == "UnrelatedKeyIdInToken")
    }

    @Test mutating func `a topic-specific key serves its topics only`() throws {
        let key = try ES256PrivateKey.generate()
        simulated.world.keys.register(
            .init(
                id: "KEYTOPIC01",
                team: SimulatedWorld.team,
                publicKey: key.publicKey,
                bundleIDs: ["app.doorstep.other"]
            )
        )
        #expect(try reason(simulated.bearer(key: key, keyID: "KEYTOPIC01")) == "TopicDisallowed")
    }

    @Test mutating func `a revoked key is refused at once`() {
        #expect(reason(simulated.token) == nil)
        simulated.world.keys.revoke(SimulatedWorld.keyID)
        #expect(reason(simulated.token) == "InvalidProviderToken")
    }

    @Test mutating func `the first valid token opens the streams, and only once`() {
        let first = simulated.start()
        let second = simulated.start()
        #expect(first.connectionActions == [.limitStreams(1000)])
        #expect(second.connectionActions.isEmpty)
    }
}
