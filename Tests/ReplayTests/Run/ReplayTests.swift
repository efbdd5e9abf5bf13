import Glibc
import JSONText
import Runtime
import TestSupport
import Testing

@testable import Replay

/// A whole replay of one order against a Doorstep and a simulator that follow a script.
@Suite struct ReplayTests {
    typealias Script = @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer?

    private static let event = """
        {"specversion":"1.0","id":"1","source":"s","type":"order.placed","subject":"o","time":"2026-01-01T00:00:00Z"}

        """
    private static let entry: JSON = [
        "id": "1", "source": "s", "type": "order.placed", "effect": "changed", "recordedAt": "2026-01-01T00:00:01Z",
    ]
    private static let phone = "replay/demo/o/1"

    private static let nothing: Script = { _ in nil }

    /// What both answer while all is well.
    private static func well(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
        switch request.line {
        case "POST /v1/events" where request.body == "[]": .init(body: ["results": []])
        case "POST /v1/events": .init(status: 202, body: ["results": [["status": 202, "version": 1]]])
        case "GET /v1/orders/replay": .init(status: 404)
        case "GET /v1/orders/o": .init(body: ["version": 1, "settledVersion": 1, "phase": "placed"])
        case "GET /v1/devices/replay%2Fdemo%2Fo%2F1": .init(body: ["linked": true])
        case "GET /summary": .init(body: ["totals": ["reporting": 0], "items": [], "next": nil])
        case "GET /phones": .init(body: ["items": [["id": .string(phone)]], "next": nil])
        default: .init(body: ["items": [], "next": nil])
        }
    }

    private func replay(
        doorstep: String,
        simulator: String,
        event: String = ReplayTests.event
    ) async throws -> ReplayReport {
        let path = "/tmp/doorstep-replay-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).jsonl"
        let file = try #require(fopen(path, "w"))
        fputs(event, file)
        fclose(file)
        defer { unlink(path) }
        var settings = ReplaySettings()
        settings.files = [path]
        let endpoints = Replay.Endpoints(doorstep: doorstep, ingestKey: "in", supportKey: "su", simulator: simulator)
        let replay = Replay(
            settings,
            endpoints: endpoints,
            loop: TestLoop.shared,
            progress: { _ in },
            notice: { _ in }
        )
        return try await replay.run()
    }

    /// Replays while some answers are others than those of `well`.
    private func replay(
        with script: @escaping Script,
        _ check: (ScriptedServer, Result<ReplayReport, ReplayError>) throws -> Void
    ) async throws {
        let answer: @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer = { script($0) ?? Self.well($0) }
        try await ScriptedServer.with(answer) { server in
            let outcome: Result<ReplayReport, ReplayError>
            do {
                outcome = .success(try await replay(doorstep: server.url, simulator: server.url))
            } catch let error as ReplayError {
                outcome = .failure(error)
            }
            try check(server, outcome)
        }
    }

    @Test func `a replay whose phones are there to the end has a report`() async throws {
        try await replay(with: Self.nothing) { _, outcome in
            let report = try outcome.get()
            #expect(report.accepted == 1)
            #expect(report.phones?.activities == 1)
        }
    }

    @Test(arguments: [503, 429])
    func `a Doorstep that is away while the log is read is waited for`(status: Int) async throws {
        let asked = Locked<[String: Int]>([:])
        let away: Script = { request in
            guard request.line == "GET /v1/orders/o/timeline" || request.line == "GET /v1/orders/o" else { return nil }
            let count = asked.withLock { asked in
                asked[request.line, default: 0] += 1
                return asked[request.line, default: 0]
            }
            // The order's standing is asked for before.
            if count == (request.path.hasSuffix("timeline") ? 1 : 2) { return .init(status: status) }
            return request.path.hasSuffix("timeline") ? .init(body: ["items": [Self.entry], "next": nil]) : nil
        }
        try await replay(with: away) { server, outcome in
            let report = try outcome.get()
            #expect(report.missingFromLog == 0)
            #expect(server.requests.count { $0.line == "GET /v1/orders/o/timeline" } == 2)
        }
    }

    @Test func `an event that the log lacks is counted`() async throws {
        try await replay(with: Self.nothing) { _, outcome in
            let report = try outcome.get()
            #expect(report.missingFromLog == 1)
        }
    }

    @Test func `a courier's position is not looked for in the log`() async throws {
        try await ScriptedServer.with(Self.well) { server in
            let position = Self.event.replacing("order.placed", with: "courier.location")
            let report = try await replay(doorstep: server.url, simulator: server.url, event: position)
            #expect(report.accepted == 1)
            #expect(report.missingFromLog == 0)
        }
    }

    @Test func `without its phones in the end a replay has no report but says what to do`() async throws {
        let restarted: Script = { $0.line == "GET /phones" ? .init(body: ["items": [], "next": nil]) : nil }
        try await replay(with: restarted) { server, outcome in
            let error = try #require(throws: ReplayError.self) { try outcome.get() }
            #expect(error.code == .unreachable)
            #expect(error.description.contains("forgot 1 of 1 phones"))
            #expect(error.description.contains("run the replay again"))
            #expect(server.requests.contains { $0.line == "POST /phones" })
        }
    }

    @Test(arguments: [("Bearer in", "DOORSTEP_INGEST_KEY"), ("Bearer su", "DOORSTEP_SUPPORT_KEY")])
    func `a wrong key is named before anything is made`(key: String, variable: String) async throws {
        for (status, words) in [(401, "is not valid: why"), (403, "does not open")] {
            let refusing: Script = { request in
                request.authorization == key ? .init(status: status, body: ["title": "T", "detail": "why"]) : nil
            }
            try await replay(with: refusing) { server, outcome in
                let error = try #require(throws: ReplayError.self) { try outcome.get() }
                #expect(error.code == .refused)
                #expect(error.description.hasPrefix("\(variable) \(words)"))
                #expect(error.description.hasSuffix("why"))
                #expect(!server.requests.contains { $0.line == "POST /phones" || $0.body.contains("order.placed") })
            }
        }
    }

    @Test func `a Doorstep that cannot serve is told before anything is made`() async throws {
        let unready: Script = { $0.path.hasPrefix("/v1/") ? .init(status: 503, body: ["detail": "why"]) : nil }
        try await replay(with: unready) { server, outcome in
            let error = try #require(throws: ReplayError.self) { try outcome.get() }
            #expect(error == ReplayError(.unreachable, "503: why; try again in a moment"))
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a Doorstep that does not answer is told before anything is made`() async throws {
        try await ScriptedServer.with(Self.well) { server in
            let error = await #expect(throws: ReplayError.self) {
                try await replay(doorstep: "http://127.0.0.1:1", simulator: server.url)
            }
            #expect(error?.code == .unreachable)
            #expect(error?.description.hasPrefix("Doorstep does not answer at http://127.0.0.1:1 (") == true)
            #expect(server.requests.isEmpty)
        }
    }
}
