import API
import JSONText
import Runtime
import Testing
import Tracking

@Suite struct ExplanationTests {
    let bench = Bench()

    private func decision(_ verdict: String, _ reason: String, _ details: JSONObject = [:]) -> TimelineDecision {
        TimelineDecision(
            device: DeviceID("d"),
            incarnation: 1,
            verdict: verdict,
            reason: reason,
            policyVersion: 2,
            details: details
        )
    }

    private var card: CardExplanation {
        CardExplanation(
            card: ActivityView(
                device: DeviceID("d"),
                incarnation: 1,
                activity: ActivityID("a"),
                state: .live,
                reason: .etaMoved,
                startedBy: .server,
                startedAt: Bench.now,
                lastAcceptedAt: Bench.now
            ),
            meaning: "It moved.",
            shownPhase: .onTheWay,
            staleAt: Bench.now,
            pending: .init(verb: .update, reason: .etaMoved, priority: 5, alerts: [], dueAt: nil),
            timer: TimerView(kind: .stale, until: Bench.now),
            next: "Something."
        )
    }

    private func place(_ phone: PhoneExplanation) {
        let view = ExplanationView(
            order: OrderID("o"),
            at: Bench.now,
            phase: .onTheWay,
            revision: 3,
            policyVersion: 4,
            timer: nil,
            customers: 1,
            decisionsSince: Bench.now,
            phones: [phone]
        )
        bench.service.state.withLock { $0.explanation = view }
    }

    @Test func `a phone is explained by its cards, decisions and answers`() async throws {
        let recorded = decision("update", "etaMoved", ["priority": 5, "token": "update", "alerts": 10, "digest": "ff"])
        let entry = DecisionExplanation(
            at: Bench.now,
            pos: 7,
            because: "eta.changed",
            incarnation: 1,
            recorded: recorded,
            today: decision("wait", "tokenAwaited")
        )
        let refusal = AnswerView(
            at: Bench.now,
            pos: 8,
            incarnation: 1,
            event: "update",
            result: .refused,
            status: 410,
            reason: "Unregistered",
            remedy: "forgetToken",
            priority: 5,
            alerts: [],
            apnsID: "id"
        )
        place(PhoneExplanation(device: DeviceID("d"), cards: [card], decisions: [entry], answers: [refusal]))
        let answer = try await bench.send("GET", "/v1/orders/o/explanation", as: .support)
        #expect(answer.status == 200)
        #expect(answer.json["policyVersion"] == 4)
        #expect(answer.json["timer"] == .null)
        #expect(answer.json["customers"] == 1)
        #expect(answer.json["decisionsSince"] == "2026-11-30T12:00:00Z")
        let phone = try #require(answer.json["phones"]?[0])
        let time = JSON.string("2026-11-30T12:00:00Z")
        #expect(
            phone["cards"]?[0]
                == [
                    "incarnation": 1, "activity": "a", "state": "live", "reason": nil, "decision": "etaMoved",
                    "startedBy": "server", "startedAt": time, "lastAcceptedAt": time, "meaning": "It moved.",
                    "shownPhase": "on_the_way", "staleAt": time,
                    "pending": [
                        "event": "update", "reason": "etaMoved",
                        "meaning": "The arrival time moved far enough, came, went, or became late or no longer late.",
                        "priority": 5, "alerts": [], "dueAt": nil,
                    ],
                    "timer": [
                        "waitsFor": "stale", "meaning": "news that confirms what the card shows", "until": time,
                    ], "next": "Something.",
                ]
        )
        let told = try #require(phone["decisions"]?[0])
        #expect(told["verdict"] == "update" && told["because"] == "eta.changed" && told["policyVersion"] == 2)
        #expect(told["alerts"] == ["courier_waiting", "attempt_failed"])
        #expect(told["today"]?["verdict"] == "wait" && told["today"]?["priority"] == .null)
        #expect(phone["answers"]?[0]?["reason"] == "Unregistered")
        #expect(phone["answers"]?[0]?["status"] == 410)
    }

    @Test func `what only today's policy would decide has no recorded verdict`() async throws {
        let entry = DecisionExplanation(
            at: Bench.now,
            pos: 7,
            because: "order.accepted",
            incarnation: 1,
            recorded: nil,
            today: decision("wait", "startRequested")
        )
        place(PhoneExplanation(device: DeviceID("d"), cards: [], decisions: [entry], answers: []))
        let answer = try await bench.send("GET", "/v1/orders/o/explanation?redecide=true", as: .supervisor)
        let told = try #require(answer.json["phones"]?[0]?["decisions"]?[0])
        #expect(told["verdict"] == .null && told["policyVersion"] == .null)
        #expect(told["today"]?["reason"] == "startRequested")
        #expect(bench.service.state.withLock { $0.explained?.redecide } == true)
    }

    @Test func `a moment of the past may be asked for`() async throws {
        place(PhoneExplanation(device: DeviceID("d"), cards: [], decisions: [], answers: []))
        let path = "/v1/orders/o/explanation?at=2026-11-30T13:00:00%2B01:00"
        #expect(try await bench.send("GET", path, as: .support).status == 200)
        #expect(bench.service.state.withLock { $0.explained?.until } == Bench.now)
        #expect(bench.service.state.withLock { $0.explained?.redecide } == false)
    }

    @Test(arguments: [
        ("at=2026-11-30T12:00:01Z", "query:at range"), ("at=yesterday", "query:at format"),
        ("at=2026-11-30T13:00:00", "query:at format"),
        ("redecide=1", "query:redecide choice"),
    ])
    func `parameters are checked`(query: String, fault: String) async throws {
        let answer = try await bench.send("GET", "/v1/orders/o/explanation?\(query)", as: .support)
        #expect(answer.status == 422)
        #expect(answer.faults == [fault])
    }

    @Test func `an unknown order is not explained, nor any to the app`() async throws {
        #expect(try await bench.send("GET", "/v1/orders/o/explanation", as: .support).slug == "not-found")
        #expect(try await bench.send("GET", "/v1/orders/o/explanation", as: .device).slug == "forbidden")
    }
}
