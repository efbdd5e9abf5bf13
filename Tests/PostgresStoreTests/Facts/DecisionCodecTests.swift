import JSONText
import PostgresStore
import Testing
import Tracking

struct DecisionCodecTests {
    @Test func `a decision is kept with all it was about`() throws {
        let decision = Decision(
            device: DeviceID("d"),
            incarnation: 2,
            kind: .update,
            reason: .phaseChanged,
            tokenKind: .update,
            priority: 10,
            alerts: .courierWaiting,
            digest: 255,
            heldUntil: Instant(microseconds: 1_500_000)
        )
        let expected: JSON = [
            [
                "device": "d", "incarnation": 2, "decision": "update", "reason": "phaseChanged", "token": "update",
                "priority": 10, "alerts": 2, "digest": "ff",
                "heldUntil": "1970-01-01T00:00:01.500Z",
            ]
        ]
        #expect(try DecisionCodec.json(DecisionCodec.items([decision])) == expected)
    }

    @Test func `a decision to do nothing says why`() throws {
        let decision = Decision(device: DeviceID("d"), incarnation: 1, kind: .nothing, reason: .nothingVisible)
        let expected: JSON = [
            ["device": "d", "incarnation": 1, "decision": "nothing", "reason": "nothingVisible"]
        ]
        #expect(try DecisionCodec.json(DecisionCodec.items([decision])) == expected)
    }
}
