import Glibc
import HTTPClient
import JSONText
import Runtime
import Testing

/// One order told by hand, and what phones make of it.
extension LocalStack {
    static let repository =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")

    /// The phone is there and known to its customer's orders.
    func hasPhone(_ phone: JSON) async throws {
        try await post("DOORSTEP_SIMULATOR_URL", "/phones", phone)
        let id = try #require(phone["id"]?.stringValue)
        _ = try await get("DOORSTEP_URL", "/v1/devices/\(id)?app=demo&linked=1&wait=20")
    }

    /// An event of order `o` of customer `c`, now; the partner's answer to a request of the customer's, where it has one.
    func happens(_ type: String, answering command: String? = nil) async throws {
        var event: JSONObject = [
            "specversion": "1.0", "source": "demo", "id": .string(type), "type": .string(type), "subject": "o",
            "time": .string(RFC3339.format(WallClock.microseconds)), "data": ["customer": "c"],
        ]
        event["causationid"] = command.map(JSON.string)
        try await post("DOORSTEP_URL", "/v1/events", .object(event), type: "application/cloudevents+json")
    }

    func screen(_ phone: String) async throws -> JSON { try await get("DOORSTEP_SIMULATOR_URL", "/phones/\(phone)") }

    /// The demo app's policy from now on has these members too.
    func changePolicy(_ members: String) async throws {
        try await change(#""startAt":"on_the_way""#, by: ",\(members)")
    }

    /// The configuration from now on has more behind this text.
    func change(_ text: String, by addition: String) async throws {
        let configuration = "\(folder)/doorstep.json"
        let changed = Self.text(configuration).replacing(text, with: text + addition)
        try Self.write(Array(changed.utf8), to: configuration)
        kill(try #require(pid(of: "serve")), SIGHUP)
        try await eventually { Self.text("\(folder)/log/serve.log").contains("\"reloaded\"") }
    }

    func get(_ base: String, _ path: String) async throws -> JSON {
        let client = HTTPClient(loop: Self.loop, baseURL: self[base], maxConnections: 1)
        let headers = [("Authorization", "Bearer \(self["DOORSTEP_SUPPORT_KEY"])")]
        let answer = try await client.send("GET", path, headers: headers)
        try #require(answer.status == 200, "\(answer.text)")
        return try JSON.parse(answer.body)
    }

    @discardableResult func post(
        _ base: String,
        _ path: String,
        _ body: JSON,
        type: String = "application/json",
        key: String = "DOORSTEP_INGEST_KEY"
    ) async throws -> JSON {
        let client = HTTPClient(loop: Self.loop, baseURL: self[base], maxConnections: 1)
        let headers = [("Content-Type", type), ("Authorization", "Bearer \(self[key])")]
        let answer = try await client.send("POST", path, headers: headers, body: body.serialized())
        try #require((200..<300).contains(answer.status), "\(answer.text)")
        return answer.body.isEmpty ? .null : try JSON.parse(answer.body)
    }

    /// Runs `doorstep` as a person would who has loaded this stack's environment; its output with its errors.
    func command(_ arguments: [String]) async throws -> (code: Int32, output: String) {
        try await run(Self.doorstep, arguments)
    }

    func run(_ file: String, _ arguments: [String]) async throws -> (code: Int32, output: String) {
        let log = "\(folder)/command.log"
        unlink(log)
        var program = Program(file, arguments, logFile: log)
        program.environment = variables
        let exit = await (try ChildProcess.start(program, on: Self.loop)).waitForExit()
        guard case .code(let code) = exit else { return (-1, Self.text(log)) }
        return (code, Self.text(log))
    }

    func eventually(_ condition: () async throws -> Bool) async throws {
        for _ in 0..<600 {
            if try await condition() { return }
            try await Self.loop.sleep(for: .milliseconds(50))
        }
        Issue.record("it never came")
    }
}
