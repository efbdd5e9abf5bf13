import JSONText
import Runtime
import Testing

@testable import APNsSimulator

/// Bodies that nobody has thought of.
@Suite struct ControlPropertyTests {
    private static let paths = [
        "/settings", "/faults", "/phones", "/clock", "/apps", "/keys", "/phones/P1/rotate", "/phones/P1/dismiss",
        "/phones/P1/login", "/phones/P1/open", "/connections/all/settings", "/connections/all/goaway",
        "/connections/all/limitStreams", "/apps/demo/broadcast",
    ]
    private static let names =
        Knob.all.map(\.name) + [
            "effect", "match", "times", "skip", "seconds", "probability", "reason", "status", "timestampMilliseconds",
            "milliseconds", "code", "keep", "count", "maxConcurrentStreams", "initialWindow", "id", "customer", "app",
            "os", "environment", "preset", "prompt", "build", "attributesTypes", "activity", "kind", "advanceSeconds",
            "skewSeconds", "bundleId", "schema", "schemas", "team", "publicKey", "enabled", "token", "event", "order",
            "tokenKind", "connection", "priority", "colour",
        ]
    private static let values: [JSON] = [
        nil, true, false, 0, 1, 5, -1, 2.5, 0.5, 410, 503, 20_000, 1_000_000_000, 1e300, -1e300, "", "x", "start",
        "drop", "goaway", "answer", "settings", "delay", "Shutdown", "ExpiredToken", "17.2", "banana", "sandbox",
        "docs",
        "allowed", "REFUSED_STREAM", "demo", "P1", "P2", "abcd", [], [:], ["x"], [["id": "P9"]], ["event": "start"],
        .number("9223372036854775807"), .number("-9223372036854775808"), .number("99999999999999999999"),
        .number("1e999"),
    ]

    /// All that a request could have changed.
    private static func picture(_ simulated: inout SimulatedWorld) throws -> [String] {
        var lists: [String] = []
        for path in ["/settings", "/faults", "/phones", "/clock", "/channels"] {
            lists.append(try simulated.ask("GET", path).json.description)
        }
        return lists + [
            "\(simulated.world.apps)", "\(simulated.world.keys.registration("P1")?.team ?? "")",
            "\(simulated.world.commands)", "\(simulated.world.channels.isEnabled(app: 0))",
        ]
    }

    private static func body(_ path: String, _ generator: inout SplitMix64) -> JSON {
        var object: JSONObject = [:]
        // Half of the faults get as far as their other members.
        if path == "/faults", Bool.random(using: &generator) {
            object["effect"] = ["stall", "drop", "limitStreams", "answer", "delay"].randomElement(using: &generator)
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            guard let name = names.randomElement(using: &generator) else { continue }
            object[name] = values.randomElement(using: &generator)
        }
        return .object(object)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a request is applied whole or refused whole`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var simulated = try SimulatedWorld()
        simulated.addPhone()
        var before = try Self.picture(&simulated)
        for _ in 0..<100 {
            let path = try #require(Self.paths.randomElement(using: &generator))
            let body = Self.body(path, &generator)
            let (status, json) = try simulated.ask("POST", path, body)
            if status >= 400 {
                #expect(status == 400 && json["detail"]?.stringValue != nil, "\(path) \(body)")
                #expect(try Self.picture(&simulated) == before, "\(path) \(body)")
                continue
            }
            before = try Self.picture(&simulated)
            if path == "/settings" || path == "/faults" {
                for member in body.objectValue?.members ?? [] where member.name != "seconds" {
                    #expect(Self.reflects(json[member.name], member.value), "\(path) \(body): \(member.name)")
                }
            }
        }
    }

    private static func reflects(_ found: JSON?, _ asked: JSON) -> Bool {
        if let number = asked.doubleValue { return found?.doubleValue == number }
        return asked.isNull || found == asked
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `bytes that are no form are refused`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var simulated = try SimulatedWorld()
        let alphabet = Array(#"{}[]",:.-+eE0123456789tfn\u abc"#.utf8)
        for _ in 0..<400 {
            let path = try #require(Self.paths.randomElement(using: &generator))
            let bytes = (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in
                alphabet.randomElement(using: &generator)
            }
            guard (try? JSON.parse(bytes)) == nil else { continue }
            let request = try #require(ControlRequest(method: "POST", path: path, query: nil, body: bytes))
            #expect([400, 404].contains(simulated.world.control(request, at: simulated.now).status))
        }
    }
}
