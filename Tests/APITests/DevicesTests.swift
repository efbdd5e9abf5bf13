import API
import HTTPServer
import JSONText
import Runtime
import Testing
import Tracking

@Suite struct DevicesTests {
    let bench = Bench()

    private func send(_ method: String, _ path: String, _ body: JSON) async throws -> Bench.Answer {
        let headers = [("Content-Type", "application/json")]
        return try await bench.send(method, path, as: .device, headers: headers, body: body.serialized())
    }

    @Test func `a device is shown without its tokens, once its customer knows of it`() async throws {
        _ = try await send(
            "PUT",
            "/v1/devices/d",
            ["customer": "c", "pushToStartToken": "80af", "deviceToken": "00ff"]
        )
        let answer = try await bench.send("GET", "/v1/devices/d?linked=1&wait=2", as: .support)
        #expect(answer.status == 200)
        #expect(answer.json["linked"] == true)
        #expect(answer.json["customer"] == "c")
        #expect(answer.json["startToken"] == true)
        #expect(answer.json["deviceToken"] == true)
        #expect(answer.json["notificationsAllowed"] == false)
        #expect(bench.service.state.withLock { $0.linkWait } == .seconds(2))
        #expect(try await bench.send("GET", "/v1/devices/other", as: .support).status == 404)
        for query in ["linked=yes", "linked=2", "wait=31", "linked=1&wait=0"] {
            #expect(try await bench.send("GET", "/v1/devices/d?\(query)", as: .support).status == 422, "\(query)")
        }
    }

    @Test func `absent members stay as they are and null erases`() async throws {
        let answer = try await send(
            "PUT",
            "/v1/devices/d%2F1",
            [
                "customer": "c", "environment": "sandbox", "pushToStartToken": "80AF", "deviceToken": nil,
                "locale": nil,
                "activitiesEnabled": false, "notificationsAllowed": true, "sequence": 7,
                "observedAt": "2026-11-30T11:59:59Z", "more": 1,
            ]
        )
        #expect(answer.status == 200)
        #expect(answer.json == ["device": "d/1"])
        let update = try #require(bench.service.state.withLock { $0.registrations["d/1"] })
        #expect(update.customer == .known(CustomerID("c")))
        #expect(update.environment == .known(.sandbox))
        #expect(update.pushToStartToken == .known("80af"))
        #expect(update.deviceToken == .unknown)
        #expect(update.locale == .unknown)
        #expect(update.timeZone == .absent)
        #expect(update.activitiesEnabled == .known(false))
        #expect(update.frequentPushes == .absent)
        #expect(update.notificationsAllowed == .known(true))
        #expect(update.sequence == 7)
        #expect(update.observedAt == Bench.now - 1_000_000)
        #expect(update.receivedAt == Bench.now)
    }

    @Test(
        arguments: [
            (["customer": ""], "/customer length"), (["customer": 5], "/customer type"),
            (["environment": "staging"], "/environment choice"),
            (["pushToStartToken": "xyz1"], "/pushToStartToken format"),
            (["pushToStartToken": "abc"], "/pushToStartToken format"),
            (["pushToStartToken": ""], "/pushToStartToken length"),
            (["deviceToken": "\u{FF10}\u{FF10}"], "/deviceToken format"),
            (["activitiesEnabled": 1], "/activitiesEnabled type"),
            (["frequentPushes": "yes"], "/frequentPushes type"), (["sequence": -1], "/sequence range"),
            (["sequence": 1.5], "/sequence type"), (["observedAt": "now"], "/observedAt format"),
            (["observedAt": "2026-11-30T11:59:59"], "/observedAt offset"), (["locale": "a\u{0}"], "/locale nul"),
            ([], " type"),
        ] as [(JSON, String)]
    )
    func `a registration that breaks a rule is refused`(body: JSON, fault: String) async throws {
        let answer = try await send("PUT", "/v1/devices/d", body)
        #expect(answer.status == 422)
        #expect(answer.slug == "invalid-request")
        #expect(answer.faults == [fault])
    }

    // P37
    @Test func `a token that APNs called dead is answered with 410`() async throws {
        bench.service.state.withLock { $0.deadToken = "dead" }
        let device = try await send("PUT", "/v1/devices/d", ["pushToStartToken": "DEAD"])
        #expect(device.status == 410)
        #expect(device.slug == "registration-dead")
        let card = try await send("PUT", "/v1/orders/o/activities/a", ["device": "d", "updateToken": "dead"])
        #expect(card.status == 410)
    }

    @Test func `a card of another device is not taken over`() async throws {
        #expect(
            try await send("PUT", "/v1/orders/o/activities/a", ["device": "d", "updateToken": "80f1"]).status == 200
        )
        let other = try await send("PUT", "/v1/orders/o/activities/a", ["device": "e", "updateToken": "80f2"])
        #expect(other.status == 409)
        #expect(other.slug == "another-device")
        #expect(bench.service.state.withLock { $0.activities["o/a"] }?.updateToken == "80f1")
    }

    @Test func `logging out has no body`() async throws {
        let answer = try await bench.send("DELETE", "/v1/devices/d", as: .device)
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(bench.service.state.withLock { $0.removed } == ["d"])
    }

    @Test func `the running list is answered with what to end and where the orders are`() async throws {
        let answer = try await send(
            "POST",
            "/v1/devices/d/running",
            [
                "activities": [
                    ["order": "o-1", "activity": "a-1", "incarnation": 2, "state": "active"],
                    ["order": "o-2", "activity": "a-2", "incarnation": nil, "state": "stale"],
                    ["order": "o-3", "activity": "a-3", "state": "dismissed"],
                ], "sequence": 4,
            ]
        )
        #expect(answer.status == 200)
        #expect(answer.json == ["end": ["a-1"], "orders": [["order": "o-1", "phase": "on_the_way", "revision": 3]]])
        let list = try #require(bench.service.state.withLock { $0.running.first })
        #expect(list.cards.map(\.state) == [.active, .active, .dismissed])
        #expect(list.cards.map(\.incarnation) == [2, nil, nil])
        #expect(list.sequence == 4)
    }

    @Test(
        arguments: [
            ([:], ["/activities required"]), (["activities": 5], ["/activities type"]),
            (["activities": [5]], ["/activities/0 type"]),
            (
                ["activities": [["order": "o", "activity": "a", "state": "active"], ["order": "", "state": "x"]]],
                ["/activities/1/activity required", "/activities/1/order length", "/activities/1/state choice"]
            ),
            (
                ["activities": [["order": "o", "activity": "a", "state": "active", "incarnation": 0]]],
                ["/activities/0/incarnation range"]
            ),
            (
                [
                    "activities": .array(
                        [JSON](repeating: ["order": "o", "activity": "a", "state": "ended"], count: 101)
                    )
                ], ["/activities count"]
            ),
        ] as [(JSON, [String])]
    )
    func `a running list that breaks a rule is refused`(body: JSON, faults: [String]) async throws {
        #expect(try await send("POST", "/v1/devices/d/running", body).faults == faults)
    }

    @Test func `the app asks before it starts a card`() async throws {
        let answer = try await send("POST", "/v1/orders/o/activities", ["device": "d", "kind": "scheduled"])
        #expect(answer.status == 200)
        #expect(answer.json == ["verdict": "adopt", "reason": "cardExists", "incarnation": 1, "activity": "a-1"])
        _ = try await send("POST", "/v1/orders/o/activities", ["device": "d"])
        #expect(bench.service.state.withLock { $0.questions.map(\.kind) } == [.scheduled, .standard])
    }

    @Test(
        arguments: [
            (["device": "d", "kind": "transient"], "/kind unsupported"),
            (["device": "d", "kind": "loud"], "/kind choice"),
            (["kind": "standard"], "/device required"), (["device": "d", "kind": 1], "/kind type"),
        ] as [(JSON, String)]
    )
    func `a question that breaks a rule is refused`(body: JSON, fault: String) async throws {
        let answer = try await send("POST", "/v1/orders/o/activities", body)
        #expect(answer.status == 422)
        #expect(answer.faults == [fault])
    }

    @Test func `a card's token is handed over`() async throws {
        let answer = try await send(
            "PUT",
            "/v1/orders/o/activities/a",
            [
                "device": "d", "updateToken": "80F1", "startedBy": "app", "startedAt": "2026-11-30T11:00:00Z",
                "incarnation": 2, "sequence": 3,
            ]
        )
        #expect(answer.status == 200)
        #expect(answer.json == ["order": "o", "activity": "a", "incarnation": 2])
        let kept = try #require(bench.service.state.withLock { $0.activities["o/a"] })
        #expect(kept.updateToken == "80f1")
        #expect(kept.startedBy == .app)
        #expect(kept.startedAt == Bench.now - 3_600_000_000)
        #expect(kept.observedAt == Bench.now)
        _ = try await send("PUT", "/v1/orders/o/activities/b", ["device": "d"])
        let local = try #require(bench.service.state.withLock { $0.activities["o/b"] })
        #expect(local.updateToken == nil)
        #expect(local.startedBy == .server)
        #expect(local.incarnation == nil)
    }

    @Test func `a card's registration that breaks rules is refused`() async throws {
        let body: JSON = ["updateToken": "q", "startedBy": "me", "incarnation": "1"]
        let answer = try await send("PUT", "/v1/orders/o/activities/a", body)
        #expect(
            answer.faults == [
                "/device required", "/updateToken length", "/startedBy choice", "/incarnation type",
            ]
        )
    }

    @Test func `reports are taken`() async throws {
        let path = "/v1/orders/o/activities/a/reports"
        let answer = try await send("POST", path, ["state": "dismissed", "at": "2026-11-30T11:00:00Z", "sequence": 9])
        #expect(answer.status == 202)
        _ = try await send("POST", path, ["state": "ended"])
        #expect(try await send("POST", path, ["state": "gone"]).faults == ["/state choice"])
        #expect(try await send("POST", path, [:]).faults == ["/state required"])
        let reports = bench.service.state.withLock { $0.reports }
        #expect(reports.map(\.state) == [.dismissed, .ended])
        #expect(reports.map(\.at) == [Bench.now - 3_600_000_000, Bench.now])
    }

    @Test func `bodies are strict JSON of a known type and size`() async throws {
        func put(_ type: String, _ body: String) async throws -> Bench.Answer {
            try await bench.send(
                "PUT",
                "/v1/devices/d",
                as: .device,
                headers: [("Content-Type", type)],
                body: Array(body.utf8)
            )
        }
        #expect(try await put("application/json", #"{"a":1,"a":1}"#).slug == "invalid-json")
        #expect(try await put("application/json", "").slug == "invalid-json")
        #expect(try await put("application/x-www-form-urlencoded", "{}").slug == "unsupported-media-type")
        #expect(try await put("application/json", String(repeating: " ", count: 65_537)).slug == "too-large")
        #expect(try await bench.send("PUT", "/v1/devices/d", as: .device, body: Array("{}".utf8)).status == 200)
    }
}
