import Crypto
import PostgresStore
import Testing
import Tracking

struct PushFactCodecTests {
    private let trail = PushFactCodec.Trail(
        apnsID: "0f8fad5b-d9cb-469f-a165-70867728950e",
        contract: "doorstep.v1",
        priority: 10,
        bytes: 812
    )
    private let moment = Instant(microseconds: 1_700_000_000_123_456)

    @Test(arguments: [Verb.start, .update, .end, .alert], [nil, Instant(microseconds: 1_700_000_100_000_000)])
    func `an accepted push is read as it was written`(_ verb: Verb, _ eta: Instant?) throws {
        let push = PushAccepted(
            device: DeviceID("d"),
            incarnation: 2,
            verb: verb,
            revision: 7,
            priority: 5,
            alerts: [.start, .courierWaiting],
            shown: Shown(
                digest: .max,
                phase: .courierWaiting,
                eta: eta,
                isLate: true,
                isStale: verb == .update,
                orderRevision: 5,
                stamp: 1_700_000_001,
                at: moment,
                staleAt: moment + .seconds(30)
            )
        )
        let body = PushFactCodec.body(push, trail)
        #expect(try orderFact(FactType.pushAccepted, body) == .pushAccepted(push))
        #expect(try PushFactCodec.claim(of: body) == trail.apnsID)
    }

    @Test(arguments: [RefusalRemedy.forgetToken, .retry, .drop], [0, 410, 503])
    func `a refused push is read as it was written`(_ remedy: RefusalRemedy, _ status: Int) throws {
        let push = PushRefused(
            device: DeviceID("d"),
            incarnation: 1,
            verb: .update,
            revision: 7,
            generation: 3,
            stamp: 12,
            remedy: remedy,
            neverLeft: status == 0,
            deadSince: status == 410 ? moment : nil,
            digest: 0
        )
        let body = PushFactCodec.body(push, trail, status: status, reason: "Unregistered")
        #expect(try orderFact(FactType.pushRefused, body) == .pushRefused(push))
        #expect(try PushFactCodec.claim(of: body) == trail.apnsID)
    }

    @Test func `a lost push is read as it was written`() throws {
        let push = PushLost(
            device: DeviceID("d"),
            incarnation: 1,
            verb: .end,
            revision: 7,
            stamp: 12,
            priority: 10,
            alerts: .cancelled
        )
        let body = PushFactCodec.body(push, apnsID: trail.apnsID)
        #expect(try orderFact(FactType.pushLost, body) == .pushLost(push))
        #expect(try PushFactCodec.claim(of: body) == trail.apnsID)
    }

    @Test func `a claim is read as it was written`() throws {
        let body = PushFactCodec.claimBody(DeviceID("d"), incarnation: 3, apnsID: trail.apnsID)
        let fact = try orderFact(FactType.startClaimed, body)
        #expect(fact == .startClaimed(DeviceID("d"), incarnation: 3))
        #expect(try PushFactCodec.claim(of: body) == trail.apnsID)
    }
}
