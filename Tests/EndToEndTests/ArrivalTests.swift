import HTTPClient
import JSONText
import Replay
import Runtime
import Testing

extension EndToEnd {
    struct ArrivalTests {
        /// Seconds between the events' own times; at one instant the ranks of their types alone tell them apart.
        @Test(arguments: [60, 0], [CoreEvents.bare, .detailed])
        func `the four core events come to one state and one timeline, whichever comes first`(
            secondsApart: Int64,
            events: CoreEvents
        ) async throws {
            try await LocalStack.with { stack in
                let partner = Partner(stack)
                // Past, so that no event runs ahead of the clock and has its receive time stand in.
                let begin = WallClock.microseconds - 600_000_000
                let times = (0..<4).map { RFC3339.format(begin + $0 * secondsApart * 1_000_000) }
                let arrivals = permutations(of: Array(CoreEvents.types.indices))
                try #require(Set(arrivals).count == 24)

                var states: [JSON: [[Int]]] = [:]
                var timelines: [JSON: [[Int]]] = [:]
                for (number, arrival) in arrivals.enumerated() {
                    let order = "o\(number)"
                    var version: Int64 = 0
                    for index in arrival {
                        let type = CoreEvents.types[index]
                        version = try await partner.tell(order, type, at: times[index], events.data(of: type, begin))
                    }
                    states[try await partner.state(of: order, settled: version), default: []].append(arrival)
                    timelines[try await partner.facts(of: order), default: []].append(arrival)
                }

                #expect(states.count == 1, "\(states)")
                #expect(timelines.count == 1, "\(timelines)")
                let state = try #require(states.keys.first)
                #expect(state["phase"]?.stringValue == "delivered")
                #expect(state["since"]?.stringValue == times[3])
                let facts = try #require(timelines.keys.first?.arrayValue)
                #expect(facts.map { $0["type"]?.stringValue } == CoreEvents.types)
                #expect(facts.map { $0["time"]?.stringValue } == times)
                #expect(facts.allSatisfy { $0["effect"]?.stringValue == "changed" }, "\(facts)")
            }
        }

        private func permutations(of indices: [Int]) -> [[Int]] {
            guard indices.count > 1 else { return [indices] }
            return indices.flatMap { first in
                permutations(of: indices.filter { $0 != first }).map { [first] + $0 }
            }
        }
    }
}

/// What the events of one delivery say besides their types.
enum CoreEvents {
    /// Nothing at all.
    case bare
    /// A promise and a later one, and who brings it: what a fold must not take from the event that came last.
    case detailed

    static let types = ["order.accepted", "order.picked_up", "courier.waiting", "order.delivered"]

    func data(of type: String, _ begin: Int64) -> JSON? {
        switch (self, type) {
        case (.detailed, "order.accepted"):
            ["eta": .string(RFC3339.format(begin + 1_500_000_000)), "courier": ["id": "c1", "name": "Ana"]]
        case (.detailed, "order.picked_up"):
            ["eta": .string(RFC3339.format(begin + 2_400_000_000)), "courier": ["id": "c2", "name": "Ivo"]]
        default: nil
        }
    }
}

/// A partner that posts one event after another, and reads what became of its orders.
private struct Partner: Sendable {
    private let stack: LocalStack
    private let api: HTTPClient

    init(_ stack: LocalStack) {
        self.stack = stack
        api = HTTPClient(loop: LocalStack.loop, baseURL: stack["DOORSTEP_URL"], maxConnections: 1)
    }

    /// Answers the event's place in its order's stream, once it is kept.
    func tell(_ order: String, _ type: String, at time: String, _ data: JSON?) async throws -> Int64 {
        var event: JSONObject = [
            "specversion": "1.0", "source": "demo", "id": .string("\(order)/\(type)"), "type": .string(type),
            "subject": .string(order), "time": .string(time),
        ]
        event["data"] = data
        let headers = [
            ("Content-Type", "application/cloudevents+json"),
            ("Authorization", "Bearer \(stack["DOORSTEP_INGEST_KEY"])"),
        ]
        let answer = try await api.send("POST", "/v1/events", headers: headers, body: JSON.object(event).serialized())
        try #require(answer.status == 202, "\(answer.text)")
        return try #require(try JSON.parse(answer.body)["version"]?.int64Value)
    }

    /// What the order is, without what it is called and how many facts were taken in; `settled` must be reached.
    func state(of order: String, settled: Int64) async throws -> JSON {
        let state = try await get("/v1/orders/\(order)?settled=\(settled)&wait=30")
        try #require(state["settledVersion"]?.int64Value ?? 0 >= settled, "\(state)")
        return try only(["phase", "since", "kitchen", "courier", "eta", "flags"], of: state)
    }

    /// The partner's facts in fold order, without their ids, which name the order.
    func facts(of order: String) async throws -> JSON {
        let items = try #require(try await get("/v1/orders/\(order)/timeline?view=facts")["items"]?.arrayValue)
        return .array(try items.map { try only(["time", "type", "sourceType", "source", "effect", "phase"], of: $0) })
    }

    private func get(_ path: String) async throws -> JSON {
        let headers = [("Authorization", "Bearer \(stack["DOORSTEP_SUPPORT_KEY"])")]
        let answer = try await api.send("GET", path, headers: headers)
        try #require(answer.status == 200, "\(answer.text)")
        return try JSON.parse(answer.body)
    }

    /// A member that is missing would compare equal everywhere.
    private func only(_ names: [String], of value: JSON) throws -> JSON {
        .object(JSONObject(try names.map { JSONObject.Member(name: $0, value: try #require(value[$0])) }))
    }
}
