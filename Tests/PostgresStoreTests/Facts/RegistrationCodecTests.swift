import Crypto
import JSONText
import PostgresStore
import Testing
import Tracking

/// What apps say of themselves, from the bodies the API writes.
struct RegistrationCodecTests {
    private static let observed = Instant(microseconds: 1_700_000_000_250_000)

    private func device(_ body: String) throws -> DeviceStreamFact {
        try DeviceFactCodec.fact(type: FactType.deviceRegistered, body: Array(body.utf8))
    }

    private func order(_ type: String, _ body: String) throws -> OrderStreamFact {
        try orderFact(type, Array(body.utf8))
    }

    @Test func `a device tells everything`() throws {
        var expected = DeviceRegistration(observedAt: Self.observed)
        expected.customer = CustomerID("ann")
        expected.environment = .production
        expected.attributesType = "A"
        expected.locale = "en"
        expected.timeZone = "Europe/Zagreb"
        expected.osVersion = "17.2"
        expected.appBuild = "9"
        expected.activitiesEnabled = false
        expected.frequentPushes = true
        expected.sequence = 12
        expected.startToken = .replaced
        expected.tokenID = TokenID("sp.01")
        expected.deviceToken = .replaced
        expected.deviceTokenID = TokenID("dp.02")
        expected.notificationsAllowed = true
        let body = #"""
            {"observedAt":"2023-11-14T22:13:20.25Z","customer":"ann","environment":"production","attributesType":"A",
            "locale":"en","timeZone":"Europe/Zagreb","osVersion":"17.2","appBuild":"9","activitiesEnabled":false,
            "frequentPushes":true,"notificationsAllowed":true,"sequence":12,"token":"AAAA","tokenId":"sp.01",
            "deviceToken":"AQEB","deviceTokenId":"dp.02"}
            """#
        #expect(try device(body) == .registered(expected))
        #expect(try SealedTokenCodec.token(Array(body.utf8)) == [0, 0, 0])
        #expect(try SealedTokenCodec.deviceToken(Array(body.utf8)) == [1, 1, 1])
    }

    // P33: absent keeps a token, null erases it.
    @Test func `an absent token is kept and a null one erased`() throws {
        var expected = DeviceRegistration(observedAt: Self.observed)
        #expect(try device(#"{"observedAt":"2023-11-14T22:13:20.25Z"}"#) == .registered(expected))
        expected.startToken = .erased
        #expect(try device(#"{"observedAt":"2023-11-14T22:13:20.25Z","token":null}"#) == .registered(expected))
        #expect(try SealedTokenCodec.token(Array(#"{"token":null}"#.utf8)) == nil)
        expected.startToken = .unchanged
        expected.deviceToken = .erased
        #expect(try device(#"{"observedAt":"2023-11-14T22:13:20.25Z","deviceToken":null}"#) == .registered(expected))
    }

    @Test func `a logout may have a number`() throws {
        #expect(
            try DeviceFactCodec.fact(type: FactType.deviceLoggedOut, body: Array(#"{"sequence":4}"#.utf8))
                == .loggedOut(sequence: 4)
        )
        #expect(
            try DeviceFactCodec.fact(type: FactType.deviceLoggedOut, body: Array("{}".utf8))
                == .loggedOut(sequence: nil)
        )
    }

    @Test func `a running list names cards by order`() throws {
        let body = #"{"orders":{"o1":[{"activity":"a","incarnation":null,"state":"active"}],"o2":[]},"sequence":3}"#
        #expect(
            try DeviceFactCodec.fact(type: FactType.deviceRunning, body: Array(body.utf8))
                == .running(
                    cards: [
                        OrderID("o1"): [ListedCard(activity: ActivityID("a"), incarnation: nil, state: .active)],
                        OrderID("o2"): [],
                    ],
                    sequence: 3
                )
        )
    }

    @Test func `a card hands over its token`() throws {
        let body = #"""
            {"device":"d","activity":"a","startedBy":"app","startedAt":null,"observedAt":"2023-11-14T22:13:20.25Z",
            "incarnation":null,"sequence":5,"token":"AAAA"}
            """#
        #expect(
            try order(FactType.activityRegistered, body)
                == .registered(
                    CardRegistration(
                        device: DeviceID("d"),
                        activity: ActivityID("a"),
                        hasToken: true,
                        origin: .app,
                        startedAt: nil,
                        observedAt: Self.observed,
                        incarnation: nil,
                        sequence: 5
                    )
                )
        )
    }

    @Test func `a card without a token is one that the app runs`() throws {
        let body = #"""
            {"device":"d","activity":"a","startedBy":"server","startedAt":"2023-11-14T22:13:20.25Z",
            "observedAt":"2023-11-14T22:13:20.25Z","incarnation":2}
            """#
        guard case .registered(let registration) = try order(FactType.activityRegistered, body) else {
            Issue.record("not a registration")
            return
        }
        #expect(!registration.hasToken)
        #expect(registration.origin == .server)
        #expect(registration.startedAt == Self.observed)
        #expect(registration.incarnation == 2)
        #expect(registration.sequence == nil)
    }

    @Test(arguments: [ReportedState.active, .ended, .dismissed])
    func `a card's report`(_ state: ReportedState) throws {
        #expect(
            try order(FactType.activityReported, #"{"activity":"a","state":"\#(state.rawValue)","sequence":1}"#)
                == .reported(CardReport(activity: ActivityID("a"), state: state, sequence: 1))
        )
    }

    @Test func `links and questions`() throws {
        #expect(try order(FactType.orderLinked, #"{"customer":"ann"}"#) == .linked(CustomerID("ann")))
        #expect(try order(FactType.activityAsked, #"{"device":"d","kind":"standard"}"#) == .asked(DeviceID("d")))
    }
}
