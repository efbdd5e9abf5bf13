import API
import HTTPServer
import JSONText
import Runtime
import Testing
import Tracking

@Suite struct OrdersTests {
    let bench = Bench()

    private func place(_ id: String, app: String = "demo") {
        let card = ActivityView(
            device: DeviceID("d"),
            incarnation: 1,
            activity: ActivityID("a"),
            state: .ended(.delivered),
            reason: .alreadyEnded,
            startedBy: .server,
            startedAt: Bench.now,
            lastAcceptedAt: nil
        )
        let view = OrderView(
            order: OrderID(id),
            phase: .onTheWay,
            since: Bench.now - 1_500_000,
            kitchen: .ready,
            courier: .nearby,
            courierName: "Zo\u{EB}",
            eta: nil,
            flags: [.late, .clockAhead],
            pendingCommand: PendingCommand(id: "wish", command: "leave_at_door"),
            revision: 4,
            version: 9,
            settledVersion: 8,
            activities: [card]
        )
        bench.service.state.withLock { $0.orders["\(app)|\(id)"] = view }
    }

    @Test func `a reader may wait until an order has settled so far`() async throws {
        place("o")
        _ = try await bench.send("GET", "/v1/orders/o?settled=9&wait=3", as: .support)
        #expect(bench.service.state.withLock { $0.awaited } == Settlement(version: 9, wait: .seconds(3)))
        let answer = try await bench.send("GET", "/v1/orders/o?settled=9&wait=31", as: .support)
        #expect(answer.status == 422)
        #expect(answer.json["errors"]?[0]?["pointer"] == "query:wait")
    }

    @Test func `an order is shown with its cards`() async throws {
        place("a/b")
        let answer = try await bench.send("GET", "/v1/orders/a%2Fb", as: .support)
        #expect(answer.status == 200)
        #expect(answer.headers.first("cache-control") == "no-store")
        #expect(
            answer.json
                == [
                    "app": "demo", "id": "a/b", "phase": "on_the_way", "since": "2026-11-30T11:59:58.500Z",
                    "kitchen": "ready", "courier": "nearby", "eta": nil, "flags": ["clock_ahead", "late"],
                    "pendingCommand": ["id": "wish", "command": "leave_at_door"],
                    "revision": 4, "version": 9, "settledVersion": 8,
                    "activities": [
                        [
                            "device": "d", "incarnation": 1, "activity": "a", "state": "ended", "reason": "delivered",
                            "decision": "alreadyEnded", "startedBy": "server", "startedAt": "2026-11-30T12:00:00Z",
                            "lastAcceptedAt": nil,
                        ]
                    ],
                ]
        )
    }

    @Test(arguments: [(Role.device, "Zo\u{EB}"), (.supervisor, "Zo\u{EB}"), (.support, nil)] as [(Role, String?)])
    func `the courier's name is for the app and for supervisors`(role: Role, name: String?) async throws {
        place("o")
        #expect(try await bench.send("GET", "/v1/orders/o", as: role).json["courierName"]?.stringValue == name)
    }

    @Test func `an order of another app is not found, and the other app is forbidden`() async throws {
        place("o", app: "demo-early")
        #expect(try await bench.send("GET", "/v1/orders/o", as: .support).slug == "not-found")
        #expect(try await bench.send("GET", "/v1/orders/o?app=demo-early", as: .support).status == 200)
        bench.allow(.support, apps: ["demo"])
        let answer = try await bench.send("GET", "/v1/orders/o?app=demo-early", as: .support)
        #expect(answer.status == 403)
        #expect(answer.slug == "forbidden")
    }

    @Test func `facts come page by page in fold order`() async throws {
        let facts = (0..<5).map { number in
            FactEntry(
                time: Bench.now,
                type: EventType("order.placed"),
                sourceType: number == 0 ? "P" : nil,
                source: "kitchen",
                id: "e-\(number)",
                effect: .repeated,
                phase: .placed
            )
        }
        bench.service.state.withLock { $0.facts = facts }
        let path = "/v1/orders/o/timeline?view=facts&limit=2"
        var answer = try await bench.send("GET", path, as: .support)
        #expect(
            answer.json["items"]?[0]
                == [
                    "time": "2026-11-30T12:00:00Z", "type": "order.placed", "sourceType": "P", "source": "kitchen",
                    "id": "e-0", "effect": "repeat", "phase": "placed",
                ]
        )
        var ids: [String] = []
        while true {
            ids += (answer.json["items"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            guard let next = answer.json["next"]?.stringValue else { break }
            answer = try await bench.send("GET", path + "&after=\(next)", as: .support)
        }
        #expect(ids == ["e-0", "e-1", "e-2", "e-3", "e-4"])
    }

    @Test func `the full timeline shows facts with their decisions`() async throws {
        let decision = TimelineDecision(
            device: DeviceID("d"),
            incarnation: 1,
            verdict: "wait",
            reason: "spacing",
            policyVersion: 2,
            details: ["until": "2026-11-30T12:01:00Z"]
        )
        let entry = TimelineEntry(
            receipt: Receipt(lane: 3, pos: 40, version: 2),
            recordedAt: Bench.now,
            occurredAt: nil,
            type: "order.placed",
            sourceType: nil,
            source: "kitchen",
            id: "e",
            flags: [.timeAssumed, .clockAhead, .idShared],
            actor: "key:1",
            effect: .changed,
            phase: .placed,
            decisions: [decision]
        )
        bench.service.state.withLock { $0.timeline = [entry] }
        let answer = try await bench.send("GET", "/v1/orders/o/timeline", as: .supervisor)
        #expect(
            answer.json
                == [
                    "items": [
                        [
                            "lane": 3, "pos": 40, "version": 2, "recordedAt": "2026-11-30T12:00:00Z", "time": nil,
                            "type": "order.placed", "sourceType": nil, "source": "kitchen", "id": "e",
                            "flags": ["clock_ahead", "id_shared", "time_assumed"], "actor": "key:1",
                            "effect": "changed", "phase": "placed", "details": [:],
                            "decisions": [
                                [
                                    "device": "d", "incarnation": 1, "verdict": "wait", "reason": "spacing",
                                    "policyVersion": 2, "details": ["until": "2026-11-30T12:01:00Z"],
                                ]
                            ],
                        ]
                    ],
                    "next": nil,
                ]
        )
    }

    @Test func `a timeline nobody wrote is not found`() async throws {
        for view in ["full", "facts"] {
            #expect(try await bench.send("GET", "/v1/orders/o/timeline?view=\(view)", as: .support).slug == "not-found")
        }
    }

    @Test(arguments: [
        ("view=half", "query:view choice"), ("limit=0", "query:limit range"), ("limit=1001", "query:limit range"),
        ("limit=x", "query:limit range"), ("after=nonsense", "query:after format"), ("after=%2", "query: format"),
        ("after=AQIB&view=facts", "query:after format"),
    ])
    func `parameters of a list are checked`(query: String, fault: String) async throws {
        let answer = try await bench.send("GET", "/v1/orders/o/timeline?\(query)", as: .support)
        #expect(answer.status == 422)
        #expect(answer.faults == [fault])
    }

    @Test func `an order is linked to a customer`() async throws {
        let answer = try await bench.send("PUT", "/v1/orders/o%2F1/customers/c%20d", as: .ingest)
        #expect(answer.status == 200)
        #expect(answer.json == ["order": "o/1", "customer": "c d"])
        #expect(bench.service.state.withLock { $0.links } == ["o/1 → c d"])
    }
}
