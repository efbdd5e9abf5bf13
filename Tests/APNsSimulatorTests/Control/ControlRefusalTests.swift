import JSONText
import Testing

@testable import APNsSimulator

/// What the control API does not know or cannot do, it says, and changes nothing.
@Suite struct ControlRefusalTests {
    private var simulated: SimulatedWorld

    init() throws {
        simulated = try SimulatedWorld()
        simulated.addPhone()
    }

    private mutating func complaint(_ path: String, _ body: JSON) throws -> String? {
        let (status, json) = try simulated.ask("POST", path, body)
        return status == 400 ? json["detail"]?.stringValue : "\(status)"
    }

    @Test(
        arguments: [
            (["effect": "melt"], "effect must be one of answer, lose, stall"),
            ([:], "effect is needed: one of answer"),
            (
                ["effect": "stall", "match": ["colour": "red"]],
                "match.colour is unknown; there are token, phone, order"
            ),
            (["effect": "stall", "match": "start"], "match must be an object"),
            (["effect": "stall", "match": ["event": "begin"]], "match.event must be one of start, update"),
            (["effect": "stall", "match": ["tokenKind": "best"]], "match.tokenKind must be one of device, start"),
            (["effect": "stall", "match": ["environment": "test"]], "match.environment must be one of sandbox"),
            (["effect": "stall", "match": ["priority": 7]], "match.priority must be 1, 5 or 10"),
            (["effect": "stall", "match": ["connection": 0]], "match.connection must be a whole number from 1"),
            (["effect": "stall", "match": ["token": "xyz"]], "match.token must be a push token"),
            (["effect": "stall", "match": ["order": 5]], "match.order must be a text"),
            (["effect": "stall", "times": -1], "times must be a whole number from 1"),
            (["effect": "stall", "times": "2"], "times must be a whole number from 1"),
            (["effect": "stall", "skip": 1.5], "skip must be a whole number from 0"),
            (["effect": "stall", "seconds": -1], "seconds must be a number of seconds from 0"),
            (["effect": "stall", "seconds": 1e300], "seconds must be a number of seconds from 0"),
            (["effect": "stall", "probability": 7], "probability must be a number from 0.0 to 1.0"),
            (["effect": "stall", "milliseconds": 5], "milliseconds is unknown; there are effect, match"),
            (["effect": "delay"], "milliseconds is needed: a whole number from 0"),
            (["effect": "delay", "milliseconds": -5], "milliseconds must be a whole number from 0"),
            (["effect": "reset", "code": "NO_ERROR"], "code must be one of REFUSED_STREAM"),
            (["effect": "answer"], "reason is needed"),
            (["effect": "answer", "reason": "Strange"], "status is needed: Strange is no reason of Apple's"),
            (
                ["effect": "answer", "reason": "Strange", "status": 200],
                "status must be a whole number from 400 to 599"
            ),
            (["effect": "answer", "reason": "BadTopic", "status": 503], "status must be 400, as BadTopic has it"),
            (
                ["effect": "answer", "reason": "ExpiredToken", "status": 403],
                "status must be 410 or 400, as ExpiredToken has it"
            ),
            (
                ["effect": "answer", "reason": "BadTopic", "timestampMilliseconds": 5],
                "timestampMilliseconds is for answers of status 410 only"
            ),
            (["effect": "limitStreams"], "count is needed"),
            (["effect": "settings", "maxFrameSize": 5], "maxFrameSize must be a whole number from 16384 to 16777215"),
            (["effect": "settings"], "maxConcurrentStreams or another setting is needed"),
            (["effect": "lose", "seconds": 0], "seconds must be a number of seconds from 0.001"),
            (["effect": "goaway", "keep": 2], "keep must be a number from 0.0 to 1.0"),
            ([], "the body must be an object"),
        ] as [(JSON, String)]
    )
    mutating func `a fault that cannot be is refused with its reason`(fault: JSON, start: String) throws {
        let detail = try complaint("/faults", fault)
        #expect(detail?.hasPrefix(start) == true, "\(detail ?? "")")
        #expect(simulated.world.faults.isEmpty)
    }

    @Test(
        arguments: [
            (["id": "P2", "os": "banana"], "os must be up to three numbers such as 17.2"),
            (["id": "P2", "os": 26], "os must be up to three numbers such as 17.2"),
            (["id": "P2", "build": "one"], "build must be up to three numbers such as 2.10"),
            (["id": "P2", "colour": "red"], "colour is unknown; there are id, app, customer"),
            (["id": "P2", "timeZone": "Mars/Olympus"], "timeZone must be the IANA name of a time zone"),
            (["id": "P2", "timeZone": "../passwd"], "timeZone must be the IANA name of a time zone"),
            (["id": ""], "id must be a text of 1 to 255 bytes"),
            (["customer": "C"], "id is needed"),
            (["id": "P2", "app": "nowhere"], "app must be the id of an app: demo, other"),
            (["id": "P2", "attributesTypes": ["X"]], "attributesTypes must be a list, not empty"),
            ([["id": "P2"], ["id": "P3", "prompt": "maybe"]], "[1].prompt must be one of allowed, always"),
            ([["id": "P2"], 5], "[1] must be an object"),
            ("P2", "the body must be an object"),
        ] as [(JSON, String)]
    )
    mutating func `a phone that cannot be is refused with its reason`(phone: JSON, start: String) throws {
        let detail = try complaint("/phones", phone)
        #expect(detail?.hasPrefix(start) == true, "\(detail ?? "")")
        #expect(simulated.world.phones.count == 1)
    }

    @Test(
        arguments: [
            ("/settings", ["gravity": 1], "gravity is unknown; there are rotatedLagSeconds"),
            ("/settings", ["maxFrameSize": 1], "maxFrameSize must be a whole number from 16384"),
            ("/settings", ["requestBurst": 0.5], "requestBurst must be a number from 1.0"),
            ("/settings", ["requestsPerSecond": 0], "requestsPerSecond must be a number from 0.001"),
            ("/connections/all/settings", [:], "maxConcurrentStreams or another setting is needed"),
            ("/settings", ["endedReason": "BadTopic"], "endedReason must be one of Unregistered, ExpiredToken"),
            ("/settings", ["newestWins": 2], "newestWins must be a number from 0.0 to 1.0, or null"),
            ("/settings", [5], "the body must be an object of knobs"),
            ("/phones/P1/rotate", ["kind": "channel"], "kind must be one of start, update, device"),
            ("/phones/P1/dismiss", ["activity": "none"], "activity must be the activity of a card"),
            ("/phones/P1/open", ["activity": "none"], "activity is unknown; there are none"),
            ("/phones/P1/login", [:], "customer is needed"),
            ("/clock", ["advanceSeconds": -1], "advanceSeconds must be a number of seconds from 0.0"),
            ("/clock", ["advanceSeconds": 1e300], "advanceSeconds must be a number of seconds from 0.0"),
            ("/clock", ["skewSeconds": "1"], "skewSeconds must be a number of seconds from -1000000000.0"),
            ("/clock", [:], "advanceSeconds or skewSeconds is needed"),
            ("/connections/all/slowRead", [:], "milliseconds is needed"),
            ("/connections/all/drop", ["count": 1], "count is unknown; there are none"),
            ("/apps", ["id": "new"], "bundleId is needed"),
            ("/apps", ["id": "new", "bundleId": "b", "schema": 5], "schema must be an object"),
            ("/apps", ["id": "new", "bundleId": "b", "schemas": [[:]]], "schemas[0].attributesType is needed"),
            (
                "/apps", ["id": "new", "bundleId": "b", "schema": ["contract": [:]]],
                "schema.contract must be a contract"
            ),
            ("/apps/demo/broadcast", ["enabled": "no"], "enabled must be true or false"),
            ("/keys", ["id": "K", "team": "T", "publicKey": "PEM"], "publicKey must be a public key of curve P-256"),
        ] as [(String, JSON, String)]
    )
    mutating func `what cannot be asked for is refused with its reason`(path: String, body: JSON, start: String) throws
    {
        let detail = try complaint(path, body)
        #expect(detail?.hasPrefix(start) == true, "\(detail ?? "")")
        #expect(simulated.world.knobs.rate.burst == 5)
        #expect(simulated.world.apps.count == 2)
        #expect(simulated.world.commands.isEmpty)
    }

    @Test(arguments: [
        "after=x", "after=-1", "after=9223372036854775807", "after", "limit=0", "limit=", "limit=50001", "since=5",
    ])
    mutating func `a query that no list knows is refused`(query: String) throws {
        for path in ["/phones", "/requests", "/accepted", "/summary", "/violations", "/connections", "/channels"] {
            #expect(try simulated.ask("GET", path, query: query).status == 400)
        }
    }

    @Test(arguments: [("DELETE", "/keys/NOPE", ""), ("GET", "/live", "phone=nope"), ("GET", "/phones/nope", "")])
    mutating func `what is not there is 404, with where to look`(method: String, path: String, query: String) throws {
        let (status, json) = try simulated.ask(method, path, query: query)
        #expect(status == 404)
        #expect(json["detail"]?.stringValue?.hasPrefix("no ") == true)
    }

    @Test mutating func `the clock cannot be turned beyond thirty years in steps either`() throws {
        #expect(try simulated.ask("POST", "/clock", ["advanceSeconds": 900_000_000]).status == 200)
        #expect(try simulated.ask("POST", "/clock", ["advanceSeconds": 900_000_000]).status == 400)
        #expect(try simulated.ask("GET", "/clock").json["advancedSeconds"]?.doubleValue == 900_000_000)
    }

    @Test mutating func `a reason may have the status it once had, and a word of nobody's any error`() throws {
        let old: JSON = ["effect": "answer", "reason": "ExpiredToken", "status": 400]
        #expect(try simulated.ask("POST", "/faults", old).json["status"]?.int64Value == 400)
        let spaced: JSON = ["effect": "answer", "reason": "Service Unavailable", "status": 503]
        #expect(try simulated.ask("POST", "/faults", spaced).json["status"]?.int64Value == 503)
    }
}
