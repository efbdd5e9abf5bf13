import JSONText
import Testing

@testable import APNsSimulator

/// The control API without a socket.
@Suite struct ControlTests {
    private var simulated: SimulatedWorld

    init() throws { simulated = try SimulatedWorld() }

    @Test mutating func `a phone is made once, with defaults`() throws {
        let made = try simulated.ask("POST", "/phones", ["id": "P1", "customer": "C1"])
        #expect(made.status == 201)
        #expect(made.json["environment"]?.stringValue == "sandbox")
        #expect(made.json["preset"]?.stringValue == "docs")
        #expect(made.json["app"]?.stringValue == "demo")
        #expect(try simulated.ask("POST", "/phones", ["id": "P1", "customer": "C1"]).status == 200)
        #expect(simulated.world.phones.count == 1)
    }

    @Test mutating func `an array makes many`() throws {
        let made = try simulated.ask("POST", "/phones", [["id": "P1"], ["id": "P2"], ["id": "P1"]])
        #expect(made.json == ["created": 2, "known": 1])
    }

    @Test(
        arguments: [
            ["customer": "C1"], ["id": "P1", "app": "nowhere"], ["id": "P1", "preset": "best"],
            ["id": "P1", "environment": "test"], ["id": "P1", "prompt": "maybe"], ["id": 5],
        ] as [JSON]
    )
    mutating func `a bad phone is refused`(body: JSON) throws {
        #expect(try simulated.ask("POST", "/phones", body).status == 400)
        #expect(simulated.world.phones.isEmpty)
    }

    @Test mutating func `a phone shows its cards and every push with its payload`() throws {
        try simulated.ask("POST", "/phones", ["id": "P/1"])
        simulated.start()
        simulated.pass(seconds: 1)
        simulated.change("update", ["content-state": ["phase": "lost"]])
        let phone = try simulated.ask("GET", "/phones/P%2F1").json
        let card = phone["cards"]?[0]
        #expect(card?["order"]?.stringValue == "O1")
        #expect(card?["state"]?.stringValue == "active")
        #expect(card?["content"] == SimulatedWorld.state())
        #expect(card?["startedAt"]?.stringValue == "2027-01-15T08:00:00Z")
        let pushes = phone["pushes"]?.arrayValue ?? []
        #expect(pushes.map { $0["event"]?.stringValue } == ["start", "update"])
        #expect(pushes.map { $0["applied"]?.boolValue } == [true, false])
        #expect(pushes.last?["why"]?.stringValue == "stateUndecodable")
        #expect(pushes.last?["status"]?.int64Value == 200)
        #expect(pushes.last?["payload"]?["aps"]?["event"]?.stringValue == "update")
    }

    @Test mutating func `lists are paged to their end`() throws {
        for number in 0..<5 { try simulated.ask("POST", "/phones", ["id": .string("P\(number)")]) }
        let first = try simulated.ask("GET", "/phones", query: "limit=3").json
        #expect(first["items"]?.arrayValue?.count == 3)
        let next = try #require(first["next"]?.stringValue)
        let last = try simulated.ask("GET", "/phones", query: "limit=3&after=\(next)").json
        #expect(last["items"]?.arrayValue?.count == 2)
        #expect(last["next"]?.isNull == true)
        #expect(try simulated.ask("GET", "/phones", query: "after=x").status == 400)
    }

    @Test mutating func `requests and accepted rows tell when, what and which revision`() throws {
        try simulated.ask("POST", "/phones", ["id": "P1"])
        simulated.start()
        simulated.start(["timestamp": nil])
        simulated.send(to: "abcd", [:])
        let requests = try simulated.ask("GET", "/requests").json["items"]?.arrayValue ?? []
        #expect(requests.map { $0["status"]?.int64Value } == [200, 200, 400])
        #expect(requests.first?["revision"]?.int64Value == 3)
        let accepted = try simulated.ask("GET", "/accepted").json
        let row: JSON = [1, .integer(simulated.now.wall), "P1", "O1", 1, "start", 3]
        #expect(accepted["rows"]?[0] == row)
        #expect(accepted["rows"]?.arrayValue?.count == 2)
        #expect(try simulated.ask("GET", "/requests", query: "after=2").json["items"]?.arrayValue?.count == 1)
    }

    @Test mutating func `the summary pairs phones and orders`() throws {
        try simulated.ask("POST", "/phones", ["id": "P1"])
        simulated.start()
        simulated.pass(seconds: 2)
        simulated.change("end", ["content-state": SimulatedWorld.state(phase: "delivered", revision: 8)])
        simulated.start(["attributes": SimulatedWorld.attributes(incarnation: 2)])
        let summary = try simulated.ask("GET", "/summary").json
        #expect(summary["totals"]?["accepted"]?["start"]?.int64Value == 2)
        #expect(summary["totals"]?["pairs"]?.int64Value == 1)
        let cards = summary["items"]?[0]?["cards"]?.arrayValue ?? []
        #expect(cards.map { $0["ended"]?.boolValue } == [true, false])
        #expect(cards.map { $0["phase"]?.stringValue } == ["delivered", "on_the_way"])
        #expect(cards.map { $0["incarnation"]?.int64Value } == [1, 2])
    }

    @Test mutating func `actions act, and unknown ones are told which there are`() throws {
        try simulated.ask("POST", "/phones", ["id": "P1"])
        simulated.start()
        #expect(try simulated.ask("POST", "/phones/P1/force-quit").json["appState"]?.stringValue == "forceQuit")
        #expect(try simulated.ask("POST", "/phones/P1/dismiss").json["cards"]?[0]?["state"]?.stringValue == "dismissed")
        #expect(try simulated.ask("POST", "/phones/P1/explode").status == 404)
        #expect(try simulated.ask("POST", "/phones/P9/open").status == 404)
        #expect(try simulated.ask("GET", "/phones/P1/open").status == 405)
    }

    @Test mutating func `faults are added, counted and taken back`() throws {
        try simulated.ask("POST", "/phones", ["id": "P1"])
        let fault: JSON = ["effect": "answer", "reason": "ServiceUnavailable", "times": 2, "match": ["event": "start"]]
        #expect(try simulated.ask("POST", "/faults", fault).status == 201)
        #expect(simulated.start().refusal?.status == 503)
        let listed = try simulated.ask("GET", "/faults").json["items"]?[0]
        #expect(listed?["applied"]?.int64Value == 1)
        #expect(listed?["times"]?.int64Value == 1)
        #expect(try simulated.ask("DELETE", "/faults").status == 204)
        #expect(simulated.start().refusal == nil)
        #expect(try simulated.ask("POST", "/faults", ["effect": "answer", "reason": "Strange"]).status == 400)
        #expect(try simulated.ask("POST", "/faults", ["effect": "melt"]).status == 400)
        #expect(try simulated.ask("DELETE", "/faults/9").status == 404)
    }

    @Test mutating func `the clock goes forward and takes the cards along`() throws {
        try simulated.ask("POST", "/phones", ["id": "P1"])
        simulated.start(["stale-date": .integer(simulated.seconds + 60)])
        try simulated.ask("POST", "/clock", ["advanceSeconds": 60])
        #expect(try simulated.ask("GET", "/phones/P1").json["cards"]?[0]?["state"]?.stringValue == "stale")
        try simulated.ask("POST", "/clock", ["advanceSeconds": 28_800])
        #expect(try simulated.ask("GET", "/phones/P1").json["cards"]?[0]?["state"]?.stringValue == "ended")
        #expect(try simulated.ask("POST", "/clock", ["advanceSeconds": -1]).status == 400)
        #expect(try simulated.ask("GET", "/clock").json["advancedSeconds"]?.doubleValue == 28_860)
    }

    @Test mutating func `knobs turn one at a time`() throws {
        try simulated.ask("POST", "/settings", ["endedLagSeconds": nil, "requestBurst": 2])
        #expect(simulated.world.knobs.lags.ended == nil)
        #expect(simulated.world.knobs.rate.burst == 2)
        #expect(simulated.world.knobs.lags.rotated == 0)
        #expect(try simulated.ask("POST", "/settings", ["gravity": 1]).status == 400)
    }

    @Test mutating func `an app with a contract of its own can be added`() throws {
        let app: JSON = [
            "id": "ride", "bundleId": "app.ride",
            "schema": ["attributesType": "Ride", "attributes": ["order": "string"], "state": ["minutes": "integer?"]],
        ]
        #expect(try simulated.ask("POST", "/apps", app).status == 201)
        #expect(try simulated.ask("POST", "/apps", ["id": "ride"]).status == 400)
        try simulated.ask("POST", "/phones", ["id": "P1", "app": "ride"])
        let start = SimulatedWorld.start(
            at: simulated.seconds,
            ["attributes-type": "Ride", "attributes": ["order": "O1"], "content-state": ["minutes": 5]]
        )
        let topic: [String: String?] = ["apns-topic": "app.ride.push-type.liveactivity"]
        simulated.send(to: simulated.phone.startToken.value, start, headers: topic)
        #expect(simulated.lastVerdict == .applied)
    }

    @Test mutating func `violations are listed with their rule`() throws {
        try simulated.ask("POST", "/phones", ["id": "P1"])
        simulated.start(["alert": nil])
        let violations = try simulated.ask("GET", "/violations").json
        #expect(violations["total"]?.int64Value == 1)
        #expect(violations["items"]?[0]?["rule"]?.stringValue == "startWithoutAlert")
        #expect(violations["counts"]?["startWithoutAlert"]?.int64Value == 1)
    }

    @Test mutating func `the page is HTML and other paths are 404`() throws {
        let request = try #require(ControlRequest(method: "GET", path: "/", query: nil, body: []))
        let page = simulated.world.control(request, at: simulated.now)
        #expect(page.contentType.hasPrefix("text/html"))
        #expect(String(decoding: page.body, as: UTF8.self).hasPrefix("<!doctype html>"))
        #expect(try simulated.ask("GET", "/elsewhere").status == 404)
        #expect(try simulated.ask("PUT", "/phones").status == 405)
    }
}
