import API
import JSONText
import Runtime
import Testing
import Tracking

/// Every line of the ingest contract that says what an event may be.
@Suite struct EventRulesTests {
    let bench = Bench()

    @Test func `a new event is committed before it is answered`() async throws {
        let answer = try await bench.post(event())
        #expect(answer.status == 202)
        #expect(
            answer.json
                == [
                    "app": "demo", "source": "kitchen", "id": "e-1", "subject": "o-1", "lane": 0, "pos": 1,
                    "version": 1,
                    "duplicate": false,
                ]
        )
        #expect(bench.log.count == 1)
    }

    @Test func `the same event again is a duplicate and keeps its first place`() async throws {
        _ = try await bench.post(event())
        _ = try await bench.post(event(["id": "e-2"]))
        let again = try await bench.post(event())
        #expect(again.status == 200)
        #expect(again.json["duplicate"] == true)
        #expect(again.json["pos"] == 1)
        #expect(bench.log.count == 2)
    }

    // D06
    @Test func `an id reused for other content is a conflict`() async throws {
        _ = try await bench.post(event())
        let other = try await bench.post(event(["type": "order.delivered"]))
        #expect(other.status == 409)
        #expect(other.slug == "event-id-reused")
        #expect(try await bench.post(event(["subject": "o-2"])).status == 202)
    }

    @Test func `an expected revision that is not the order's is a conflict that tells the present one`() async throws {
        #expect(try await bench.post(event(["expectedrevision": 0])).status == 202)
        let stale = try await bench.post(event(["id": "e-2", "expectedrevision": 0]))
        #expect(stale.status == 409)
        #expect(stale.slug == "revision-conflict")
        #expect(stale.json["revision"] == 1)
        #expect(try await bench.post(event(["id": "e-2", "expectedrevision": "1"])).status == 202)
    }

    // D14, D31: a word nobody knows is kept.
    @Test func `an unknown type is kept`() async throws {
        #expect(try await bench.post(event(["type": "order.teleported"])).status == 202)
        #expect(bench.log.first?.type.word == "order.teleported")
    }

    // D21, D27: empty text and 0 are no arrival times, numbers are no ids.
    @Test(
        arguments: [
            (event(["subject": nil]), "/subject required"), (event(["subject": .null]), "/subject required"),
            (event(["id": nil]), "/id required"), (event(["source": nil]), "/source required"),
            (event(["type": nil]), "/type required"), (event(["specversion": nil]), "/specversion required"),
            (event(["specversion": "0.3"]), "/specversion choice"), (event(["id": 7]), "/id type"),
            (event(["subject": ["a"]]), "/subject type"), (event(["type": true]), "/type type"),
            (event(["id": ""]), "/id length"), (event(["subject": ""]), "/subject length"),
            (event(["id": .string(String(repeating: "x", count: 256))]), "/id length"),
            (event(["source": .string(String(repeating: "x", count: 256))]), "/source length"),
            (event(["type": .string(String(repeating: "x", count: 256))]), "/type length"),
            (event(["subject": .string(String(repeating: "\u{E9}", count: 128))]), "/subject length"),
            (event(["time": ""]), "/time format"), (event(["time": "yesterday"]), "/time format"),
            (event(["time": 1_796_040_000]), "/time type"), (event(["time": "2026-11-31T00:00:00Z"]), "/time format"),
            (event(["time": "2026-11-30T11:59:00"]), "/time offset"),
            (event(["datacontenttype": "text/xml"]), "/datacontenttype unsupported"),
            (event(["data_base64": "AAAA"]), "/data_base64 unsupported"), (event(["data": "text"]), "/data type"),
            (event(["data": [1]]), "/data type"), (event(["expectedrevision": -1]), "/expectedrevision range"),
            (event(["expectedrevision": "x"]), "/expectedrevision range"),
            (event(["sourcetype": 5]), "/sourcetype type"),
            (event(data: ["customer": 5]), "/data/customer type"),
            (event(data: ["customer": ""]), "/data/customer length"),
            (event(data: ["customer": .string(String(repeating: "c", count: 256))]), "/data/customer length"),
            (event(data: ["eta": ""]), "/data/eta format"), (event(data: ["eta": 0]), "/data/eta type"),
            (event(data: ["pickupEta": 0]), "/data/pickupEta type"), (event(data: ["eta": false]), "/data/eta type"),
            (event(data: ["eta": "2026-11-30T12:20:00"]), "/data/eta offset"),
            (event(data: ["restaurant": "r-1"]), "/data/restaurant type"),
            (event(data: ["restaurant": ["id": 1]]), "/data/restaurant/id type"),
            (event(data: ["courier": ["name": ""]]), "/data/courier/name length"),
            (event(data: ["references": ["a": 1]]), "/data/references/a type"),
            (event(data: ["references": ["a/b~c": ""]]), "/data/references/a~1b~0c length"),
            (event(data: ["progress": 1.5]), "/data/progress range"),
            (event(data: ["progress": -0.1]), "/data/progress range"),
            (event(data: ["progress": "0.5"]), "/data/progress type"),
            (event(data: ["by": "robot"]), "/data/by choice"),
            (event(data: ["displayNumber": 12]), "/data/displayNumber type"),
            (event(data: ["scheduledFor": "soon"]), "/data/scheduledFor format"),
            (event(data: ["reason": .string(String(repeating: "r", count: 1_025))]), "/data/reason length"),
            (event(data: ["phase": "delivered"], type: "order.reopened"), "/data/phase choice"),
            (event(data: [:], type: "event.voided"), "/data/voids required"),
            (event(data: ["voids": ["source": "kitchen"]], type: "event.voided"), "/data/voids/id required"),
        ] as [(JSON, String)]
    )
    func `an event that breaks a rule is refused with a pointer`(event: JSON, fault: String) async throws {
        let answer = try await bench.post(event)
        #expect(answer.status == 422)
        #expect(answer.slug == "invalid-event")
        #expect(answer.faults == [fault])
        #expect(bench.log.isEmpty)
    }

    @Test func `all faults of an event are told at once`() async throws {
        let answer = try await bench.post(["id": 5, "source": "kitchen", "data": ["eta": 0, "by": "x"]])
        #expect(
            answer.faults == [
                "/specversion required", "/type required", "/subject required", "/id type", "/data/eta type",
                "/data/by choice",
            ]
        )
    }

    @Test(arguments: [
        (#"{"specversion":"1.0","id":"a\u0000b","source":"kitchen","type":"order.placed","subject":"o"}"#, "/id nul"),
        (#"{"specversion":"1.0","id":"a","source":"k\u0000","type":"order.placed","subject":"o"}"#, "/source nul"),
        (
            #"{"specversion":"1.0","id":"a","source":"kitchen","type":"t","subject":"o","data":{"x":["","\u0000"]}}"#,
            "/data/x/1 nul"
        ),
        (
            #"{"specversion":"1.0","id":"a","source":"kitchen","type":"t","subject":"o","data":{"x":{"\u0000":1}}}"#,
            "/data/x nul"
        ),
    ])
    func `NUL is refused wherever it stands, also in what would be dropped`(text: String, fault: String) async throws {
        let answer = try await bench.post(bytes: Array(text.utf8))
        #expect(answer.status == 422)
        #expect(answer.slug == "invalid-event")
        #expect(answer.faults == [fault])
    }

    @Test(arguments: [
        "", "{", "nonsense", "{\"id\":1,}", "{\"a\":1,\"a\":2}", "{\"data\":{\"x\":1,\"x\":1}}", "{} {}", "{\"a\":01}",
        "{\"a\":\"\\ud800\"}", "{\"a\":1e999}", "\u{FEFF}{}",
    ])
    func `what is not strict JSON is refused whole`(text: String) async throws {
        let answer = try await bench.post(bytes: Array(text.utf8))
        #expect(answer.status == 400)
        #expect(answer.slug == "invalid-json")
    }

    @Test func `bad UTF-8 and deep nesting are refused whole`() async throws {
        let wrong = Array(#"{"id":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        #expect(try await bench.post(bytes: wrong).slug == "invalid-json")
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        #expect(try await bench.post(bytes: Array("{\"data\":\(deep)}".utf8)).slug == "invalid-json")
        func nested(_ depth: Int) -> JSON { depth == 0 ? 1 : [nested(depth - 1)] }
        #expect(try await bench.post(event(["data": ["x": nested(62)]])).status == 202)
        #expect(try await bench.post(event(["data": ["x": nested(63)]])).slug == "invalid-json")
    }

    @Test(arguments: ["[]", "\"event\"", "null", "5"])
    func `an event is an object`(text: String) async throws {
        let answer = try await bench.post(bytes: Array(text.utf8))
        #expect(answer.slug == "invalid-event")
        #expect(answer.faults == [" type"])
    }

    @Test func `names may have 255 bytes and extensions may be 32`() async throws {
        let long = JSON.string(String(repeating: "n", count: 255))
        #expect(try await bench.post(event(["id": long, "subject": long, "type": long])).status == 202)
        var object = try #require(event().objectValue)
        for number in 0..<32 { object["ext\(number)"] = "v" }
        #expect(try await bench.post(.object(object)).status == 202)
        object["onemore"] = "v"
        #expect(try await bench.post(.object(object)).faults == [" count"])
    }

    @Test func `references are at most eight`() async throws {
        func references(_ count: Int) -> JSON {
            .object(JSONObject((0..<count).map { .init(name: "r\($0)", value: "v") }))
        }
        #expect(try await bench.post(event(data: ["references": references(8)])).status == 202)
        #expect(try await bench.post(event(data: ["references": references(9)])).faults == ["/data/references count"])
    }

    // D29
    @Test func `an event of 65,536 bytes passes, one byte more does not`() async throws {
        func padded(to size: Int) -> [UInt8] {
            let empty = event(["padding": ""]).serialized().count
            return event(["padding": .string(String(repeating: "p", count: size - empty))]).serialized()
        }
        #expect(try await bench.post(bytes: padded(to: 65_536)).status == 202)
        let answer = try await bench.post(bytes: padded(to: 65_537))
        #expect(answer.status == 413)
        #expect(answer.slug == "too-large")
        #expect(answer.json["limit"] == 65_536)
    }

    // D31
    @Test func `members that are not in the contract are dropped and counted`() async throws {
        _ = try await bench.post(
            event(data: ["customer": "c", "address": "5 Elm", "courier": ["phone": "1", "id": "d"]])
        )
        let body = try #require(bench.log.first?.body)
        #expect(String(decoding: body, as: UTF8.self) == #"{"data":{"courier":{"id":"d"},"customer":"c"}}"#)
        let exposed = bench.metrics.exposition()
        #expect(exposed.contains(#"doorstep_event_members_dropped_total{source="kitchen"} 2"#))
        #expect(exposed.contains(#"doorstep_events_total{source="kitchen",result="accepted"} 1"#))
    }

    @Test func `the log keeps the canonical form of what is in the contract`() async throws {
        let data: JSON = [
            "by": "staff", "batch": "b", "scheduledFor": "2026-11-30T20:00:00+01:00", "progress": .number("0.50"),
            "displayNumber": "#7", "references": ["partner": "P-1"], "pickupEta": nil,
            "eta": "2026-11-30T12:20:00.250+00:00", "courier": ["name": "Zo\u{EB}", "id": nil],
            "restaurant": ["id": "r", "name": "R", "timeZone": "Europe/Zurich"], "customer": nil, "reason": "late",
            "phase": "placed",
        ]
        _ = try await bench.post(event(["data": data, "sourcetype": "PICKED"]))
        let body = try #require(bench.log.first?.body)
        #expect(
            String(decoding: body, as: UTF8.self)
                == ##"{"data":{"batch":"b","by":"staff","courier":{"name":"Zo\##u{EB}"},"displayNumber":"#7","##
                + ##""eta":"2026-11-30T12:20:00.250Z","pickupEta":null,"progress":0.50,"reason":"late","##
                + ##""references":{"partner":"P-1"},"restaurant":{"id":"r","name":"R","timeZone":"Europe/Zurich"},"##
                + ##""scheduledFor":"2026-11-30T19:00:00Z"},"sourcetype":"PICKED"}"##
        )
    }

    @Test func `void and reopen keep their own members`() async throws {
        let voids: JSON = ["voids": ["source": "kitchen", "id": "e-0"], "phase": "placed"]
        _ = try await bench.post(event(data: voids, type: "event.voided"))
        _ = try await bench.post(event(["id": "e-2", "type": "order.reopened", "data": ["phase": "accepted"]]))
        #expect(
            bench.log.map { String(decoding: $0.body, as: UTF8.self) } == [
                #"{"data":{"voids":{"id":"e-0","source":"kitchen"}}}"#, #"{"data":{"phase":"accepted"}}"#,
            ]
        )
    }

    @Test func `received bytes are kept for a source that wants them`() async throws {
        _ = try await bench.post(event())
        #expect(bench.log.first?.raw == nil)
        bench.service.state.withLock { $0.sources["kitchen"] = SourceSettings(keepRaw: true) }
        _ = try await bench.post(event(["id": "e-2"]))
        #expect(bench.log.last?.raw == event(["id": "e-2"]).serialized())
    }
}
