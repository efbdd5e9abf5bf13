import JSONText
import Testing

/// `doorstep simulate`.
struct SimulateTests {
    private func simulate(_ arguments: String, policy: String = "{}") throws -> [String] {
        try Shell.lines(
            """
            echo '\(policy)' > policy.json
            doorstep generate --orders 60 --seed 7 --end 2026-11-30T12:00:00Z > orders.jsonl
            doorstep simulate \(arguments); echo $?
            """
        )
    }

    @Test func `the defaults tried beside the defaults differ in nothing`() throws {
        let lines = try simulate("policy.json orders.jsonl")
        #expect(lines.first?.hasSuffix("this policy     current") == true)
        #expect(lines.contains("orders                                      60          60"))
        #expect(lines.contains("minutes alive past a promise               0.0         0.0"))
        #expect(lines.suffix(2) == ["orders that turn out otherwise: 0", "0"])
    }

    @Test func `a table without a map and a file without events are told in one line`() throws {
        let table = try Shell.lines(
            "echo '{}' > p.json; printf 'order_id,step\\n1,2\\n3,4\\n' > t.csv; doorstep simulate p.json t.csv; echo $?"
        )
        #expect(table.count == 2)
        #expect(table.first?.contains("t.csv holds no CloudEvents") == true)
        #expect(table.first?.contains("--map MAP.json") == true)
        let keys = "DOORSTEP_INGEST_KEY=k DOORSTEP_SUPPORT_KEY=k"
        for command in ["doorstep simulate p.json e", "\(keys) doorstep replay e", "\(keys) doorstep replay a"] {
            let lines = try Shell.lines("echo '{}' > p.json; > e; echo '[]' > a; \(command); echo $?")
            #expect(lines.count == 2)
            #expect(lines.first?.hasSuffix(": no events") == true)
            #expect(lines.last == "2")
        }
    }

    @Test func `as JSON it is one object with both policies`() throws {
        let lines = try simulate("policy.json orders.jsonl --json", policy: #"{"startAt": "accepted"}"#)
        let report = try JSON.parse(Array(try #require(lines.first).utf8))
        #expect(lines.count == 2)
        #expect(report["orders"] == 60)
        #expect(report["staleMinutes"]?.doubleValue == 0)
        let starts = try #require(report["pushes"]?["start"]?.int64Value)
        let current = try #require(report["current"]?["pushes"]?["start"]?.int64Value)
        #expect(starts >= current && current > 0)
        #expect(report["differing"]?["count"]?.int64Value.map { $0 > 0 } == true)
    }

    @Test func `arrival times can be invented, alike for every run`() throws {
        let runs = try (0..<2).map { _ in try simulate("policy.json orders.jsonl --eta 3 --json") }
        #expect(runs[0] == runs[1])
        let report = try JSON.parse(Array(try #require(runs[0].first).utf8))
        let plain = try JSON.parse(Array(try #require(try simulate("policy.json orders.jsonl --json").first).utf8))
        #expect(try #require(report["events"]?.int64Value) > (try #require(plain["events"]?.int64Value)))
    }

    @Test func `the current policy is that of a configured app`() throws {
        let lines = try Shell.lines(
            """
            openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out key.p8
            echo '{"apps":[{"id":"a","bundleId":"b","teamId":"t","keys":[{"id":"k","file":"key.p8"}],
              "policy":{"startAt":"courier_waiting"}}]}' > doorstep.json
            echo '{}' > policy.json
            doorstep generate --orders 60 --seed 7 > orders.jsonl
            doorstep simulate policy.json orders.jsonl --app a --json
            doorstep simulate policy.json orders.jsonl --app other; echo $?
            """
        )
        let report = try JSON.parse(Array(try #require(lines.first).utf8))
        #expect(try #require(report["started"]?.int64Value) > (try #require(report["current"]?["started"]?.int64Value)))
        #expect(lines.contains("doorstep simulate: no app other is configured: name a configuration with --config"))
        #expect(lines.last == "2")
    }

    @Test func `everything wrong with the policy is told at once`() throws {
        let lines = try simulate("policy.json orders.jsonl", policy: #"{"startAt": "later", "spacing": 0, "speed": 1}"#)
        #expect(lines.contains { $0.hasPrefix("doorstep simulate: policy.json: /startAt must be placed, accepted") })
        #expect(lines.contains { $0.hasPrefix("doorstep simulate: policy.json: /spacing must be a number of seconds") })
        #expect(lines.contains("doorstep simulate: policy.json: /speed means nothing here"))
        #expect(lines.last == "2")
    }

    @Test func `files that are not there, and events that say nothing, are told`() throws {
        #expect(try simulate("gone.json orders.jsonl").first?.contains("gone.json: No such file") == true)
        #expect(try simulate("policy.json gone.jsonl").suffix(2).last == "2")
        let lines = try simulate("policy.json policy.json --phones two")
        #expect(lines.first == "doorstep simulate: --phones must be per-order or per-customer, not \"two\"")
        #expect(try simulate("policy.json policy.json").last == "2")
    }
}
