import API
import HTTPClient
import HTTPServer
import JSONText
import Runtime
import Testing

/// The endpoints over a fake service, a fixed clock, and one key of each role.
struct Bench {
    /// 2026-11-30T12:00:00Z.
    static let now: Int64 = 1_796_040_000_000_000

    let service = FakeService()
    let metrics = Metrics()
    /// The clock that allowances fill by.
    let ticks = Locked(MonotonicTime(nanoseconds: 0))
    let edge: Edge
    /// The lines of its log.
    let lines = Locked<[String]>([])
    private let keys: [Role: AccessKey.Text]

    init(limits: RequestLimits = RequestLimits()) {
        var keys: [Role: AccessKey.Text] = [:]
        for role in Role.allCases { keys[role] = AccessKey.Text(newFor: role) }
        self.keys = keys
        let endpoints = Endpoints(
            ports: service.ports,
            events: EventCounters(metrics: metrics, sources: ["kitchen"]),
            limits: limits,
            now: { Self.now },
            ticks: { [ticks] in ticks.withLock { $0 } }
        )
        let log = Log(
            threshold: .debug,
            now: { Self.now },
            sink: { [lines] line in lines.withLock { $0.append(line) } }
        )
        edge = Edge(endpoints, limits: limits, metrics: RequestMetrics(metrics), log: log)
        for role in Role.allCases { allow(role, apps: ["demo", "demo-early"]) }
    }

    /// Stores this role's key with these bounds.
    func allow(_ role: Role, apps: [String], sources: Set<String>? = nil) {
        guard let text = keys[role] else { return }
        let key = AccessKey(id: text.id, role: role, secretDigest: text.secretDigest, apps: apps, sources: sources)
        service.state.withLock { $0.keys[text.id] = key }
    }

    func revoke(_ role: Role) {
        service.state.withLock { state in _ = keys[role].map { state.keys.removeValue(forKey: $0.id) } }
    }

    func text(of role: Role) -> String { keys[role]?.text ?? "" }

    struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
        let json: JSON

        /// The slug of a problem document.
        var slug: String? {
            guard headers.first("content-type") == "application/problem+json",
                json["status"]?.int64Value == Int64(status),
                let type = json["type"]?.stringValue, type.hasPrefix("urn:doorstep:problem:")
            else { return nil }
            return String(type.dropFirst("urn:doorstep:problem:".count))
        }

        /// The faults as `pointer rule`.
        var faults: [String] {
            (json["errors"]?.arrayValue ?? []).map {
                "\($0["pointer"]?.stringValue ?? "?") \($0["rule"]?.stringValue ?? "?")"
            }
        }
    }

    func send(
        _ method: String,
        _ target: String,
        as role: Role? = nil,
        headers: [(String, String)] = [],
        body: [UInt8] = [],
        peer: String = "127.0.0.1"
    ) async throws -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var fields = headers.map { HTTPField($0.0, $0.1) }
        if let role { fields.append(HTTPField("Authorization", "Bearer \(text(of: role))")) }
        let request = HTTPRequest(
            method: method,
            path: parts[0],
            query: parts.count > 1 ? parts[1] : nil,
            headers: HTTPHeaders(fields),
            body: body,
            peer: peer
        )
        let response = await edge.respond(to: request)
        guard case .bytes(let bytes) = response.body else {
            Issue.record("a streamed body")
            throw JSONError(code: .unexpectedEnd, offset: 0)
        }
        let answers = HTTPHeaders(response.headers)
        let isJSON = answers.first("content-type")?.hasSuffix("json") ?? false
        return Answer(
            status: response.status,
            headers: answers,
            body: bytes,
            json: isJSON ? try JSON.parse(bytes) : .null
        )
    }

    /// A whole list or stream, through a real server.
    func text(
        _ target: String,
        accept: String,
        as role: Role = .support,
        headers more: [(String, String)] = []
    ) async throws -> String {
        let loop = try EventLoop.start(name: "list")
        defer { loop.stop() }
        let server = HTTPServer(loop: loop, settings: HTTPServerSettings(), handler: edge.respond(to:))
        let port = try await server.start()
        let running = Task(executorPreference: loop.tasks) { try await server.run() }
        let client = HTTPClient(loop: loop, baseURL: "http://127.0.0.1:\(port)", maxConnections: 1)
        let headers = [("Authorization", "Bearer \(text(of: role))"), ("Accept", accept)] + more
        let answer = try await client.send("GET", target, headers: headers)
        running.cancel()
        _ = await running.result
        return String(decoding: answer.body, as: UTF8.self)
    }

    /// Posts one structured event.
    func post(_ event: JSON, query: String = "") async throws -> Answer {
        try await post(bytes: event.serialized(), query: query)
    }

    func post(bytes: [UInt8], query: String = "") async throws -> Answer {
        try await send(
            "POST",
            "/v1/events" + query,
            as: .ingest,
            headers: [("Content-Type", "application/cloudevents+json; charset=UTF-8")],
            body: bytes
        )
    }

    func postBatch(_ items: [JSON]) async throws -> Answer {
        try await postBatch(bytes: JSON.array(items).serialized())
    }

    func postBatch(bytes: [UInt8]) async throws -> Answer {
        try await send(
            "POST",
            "/v1/events",
            as: .ingest,
            headers: [("Content-Type", "application/cloudevents-batch+json")],
            body: bytes
        )
    }

    var log: [IngestEvent] { service.state.withLock { $0.log } }
}

/// A correct event; members given here replace or, when nil, remove its own.
func event(_ changes: KeyValuePairs<String, JSON?> = [:]) -> JSON {
    var object: JSONObject = [
        "specversion": "1.0", "id": "e-1", "source": "kitchen", "type": "order.picked_up", "subject": "o-1",
        "time": "2026-11-30T11:59:00Z", "data": ["customer": "c-1", "eta": "2026-11-30T12:20:00Z"],
    ]
    for (name, value) in changes { object[name] = value }
    return .object(object)
}

/// The correct event with this `data`.
func event(data: JSON, type: String = "order.picked_up") -> JSON { event(["data": data, "type": .string(type)]) }
