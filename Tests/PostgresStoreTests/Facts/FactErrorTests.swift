import JSONText
import PostgresStore
import Testing
import Tracking

/// A body that does not keep its type's promise is named, never guessed at: its stream is parked.
struct FactErrorTests {
    struct Malformed: Sendable {
        let type: String
        let body: String
        let error: FactError

        init(_ type: String, _ body: String, _ code: FactError.Code, _ member: String = "") {
            (self.type, self.body, error) = (type, body, FactError(code, member))
        }
    }

    @Test(arguments: [
        Malformed(FactType.orderLinked, "{", .malformedJSON), Malformed(FactType.orderLinked, "", .malformedJSON),
        Malformed(FactType.orderLinked, "{}", .missingMember, "customer"),
        Malformed(FactType.orderLinked, #"{"customer":null}"#, .missingMember, "customer"),
        Malformed(FactType.orderLinked, #"{"customer":7}"#, .badValue, "customer"),
        Malformed(FactType.linkAnswered, #"{"customer":"c","devices":{}}"#, .badValue, "devices"),
        Malformed(FactType.linkAnswered, #"{"customer":"c","devices":[{}]}"#, .missingMember, "environment"),
        Malformed(FactType.deviceAvailable, #"{"device":{"environment":"moon"}}"#, .badValue, "environment"),
        Malformed(FactType.startGranted, #"{"device":"d"}"#, .missingMember, "incarnation"),
        Malformed(FactType.startGranted, #"{"device":"d","incarnation":1.5}"#, .badValue, "incarnation"),
        Malformed(FactType.startRefused, #"{"device":"d","incarnation":1,"until":"soon"}"#, .badValue, "until"),
        Malformed(
            FactType.cardsListed,
            #"{"device":"d","cards":[{"activity":"a","state":"flying"}]}"#,
            .badValue,
            "state"
        ),
        Malformed(FactType.activityRegistered, #"{"device":"d","activity":"a"}"#, .missingMember, "startedBy"),
        Malformed(
            FactType.activityRegistered,
            #"{"device":"d","activity":"a","startedBy":"app"}"#,
            .missingMember,
            "observedAt"
        ),
        Malformed(FactType.activityReported, #"{"activity":"a","state":"asleep"}"#, .badValue, "state"),
        Malformed(FactType.pushAccepted, #"{"device":"d","incarnation":1,"event":"shout"}"#, .badValue, "event"),
        Malformed(
            FactType.pushRefused,
            #"{"device":"d","incarnation":1,"event":"end","revision":1,"generation":1,"timestamp":1,"remedy":"pray"}"#,
            .badValue,
            "remedy"
        ),
        Malformed(FactType.pushLost, #"{"device":"d","incarnation":1,"event":"end"}"#, .missingMember, "revision"),
    ])
    func `an order's malformed fact names the member`(_ malformed: Malformed) {
        #expect(throws: malformed.error) {
            try orderFact(malformed.type, Array(malformed.body.utf8))
        }
    }

    @Test(arguments: [
        Malformed(FactType.deviceRegistered, "{}", .missingMember, "observedAt"),
        Malformed(FactType.deviceRunning, #"{"orders":[]}"#, .badValue, "orders"),
        Malformed(FactType.deviceRunning, #"{"orders":{"o":[{}]}}"#, .missingMember, "activity"),
        Malformed(FactType.startRequested, #"{"order":"o"}"#, .missingMember, "incarnation"),
        Malformed(FactType.startAnswered, #"{"order":"o","incarnation":1,"result":"maybe"}"#, .badValue, "result"),
    ])
    func `a device's malformed fact names the member`(_ malformed: Malformed) {
        #expect(throws: malformed.error) {
            try DeviceFactCodec.fact(type: malformed.type, body: Array(malformed.body.utf8))
        }
    }

    @Test func `a customer's malformed fact names the member`() {
        #expect(throws: FactError(.missingMember, "device")) {
            try CustomerFactCodec.message(type: FactType.deviceJoined, body: Array("{}".utf8))
        }
    }

    @Test func `a token that is not sealed is refused`() {
        #expect(throws: FactError(.badValue, "token")) {
            try SealedTokenCodec.token(Array(#"{"token":"not base 64!"}"#.utf8))
        }
    }

    /// Wherever a stored body is cut off or changed by one byte, reading it ends in a value or a `FactError`.
    @Test func `no damage to a body does more than fail to be read`() {
        let stored = RelayCodec.store(
            .toOrder(OrderID("o"), .linkAnswered(CustomerID("c"), devices: [RelayCodecTests.snapshot]))
        )
        for index in stored.body.indices {
            for damage in [Array(stored.body[..<index]), stored.body.replacing(at: index)] {
                let result = Result { () throws(FactError) in
                    try orderFact(stored.type, damage)
                }
                if case .failure(let error) = result { #expect(error.code != .unknownType) }
            }
        }
    }
}

extension [UInt8] {
    fileprivate func replacing(at index: Int) -> [UInt8] {
        var bytes = self
        bytes[index] ^= 0x15
        return bytes
    }
}
