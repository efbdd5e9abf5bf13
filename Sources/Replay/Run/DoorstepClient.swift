internal import HTTPClient
internal import JSONText
internal import Runtime

/// What a replay asks of Doorstep's API.
struct DoorstepClient: Sendable {
    private let posts: HTTPClient
    /// Apart from posts, which must not queue behind orders that are waited for.
    private let reads: HTTPClient
    private let loop: EventLoop
    /// Where that is, for errors.
    private let url: String
    private let app: String
    private let ingest: Key
    private let support: Key

    private struct Key: Sendable {
        /// The setting that it comes from.
        let variable: String
        /// Never logged, never in errors.
        let secret: String

        var header: (String, String) { ("Authorization", "Bearer \(secret)") }
    }

    init(_ endpoints: Replay.Endpoints, app: String, loop: EventLoop) {
        self.loop = loop
        url = endpoints.doorstep
        posts = HTTPClient(loop: loop, baseURL: url, maxConnections: 32)
        reads = HTTPClient(loop: loop, baseURL: url, maxConnections: OrderStanding.connections)
        self.app = PathSegment.encode(app)
        ingest = Key(variable: "DOORSTEP_INGEST_KEY", secret: endpoints.ingestKey)
        support = Key(variable: "DOORSTEP_SUPPORT_KEY", secret: endpoints.supportKey)
    }

    /// Asks for nothing with each key, so that a wrong address or key is told before anything is made, and at once.
    func check() async throws(ReplayError) {
        try await check("POST", "/v1/events", ingest, body: Array("[]".utf8), good: [200])
        try await check("GET", "/v1/orders/replay", support, good: [200, 404])
    }

    private func check(
        _ method: String,
        _ path: String,
        _ key: Key,
        body: [UInt8] = [],
        good: Set<Int>
    ) async throws(ReplayError) {
        let headers = [("Content-Type", "application/cloudevents-batch+json"), key.header]
        let answer: HTTPClientResponse
        do {
            answer = try await posts.send(method, "\(path)?app=\(app)", headers: headers, body: body)
        } catch {
            throw ReplayError(
                .unreachable,
                "Doorstep does not answer at \(url) (\(error)); start it with `doorstep up`"
            )
        }
        switch answer.status {
        case let status where good.contains(status): return
        // Busy, but there: what follows is patient.
        case 429: return
        case 503: throw ReplayError(.unreachable, "503: \(Self.reason(of: answer)); try again in a moment")
        default: throw refusal(of: answer, to: "\(method) \(path)", key)
        }
    }

    /// How Doorstep answered a batch.
    enum PostAnswer {
        /// One answer per event, in the same order.
        case items([ItemAnswer])
        /// Nothing is known to be kept: send all of it again, not before the time given by Doorstep, if it gave one.
        case again(after: Duration?)
    }

    struct ItemAnswer {
        let status: Int
        /// Position in the order's stream, when the event is kept.
        let version: Int64?
        /// The problem's slug, when it is not.
        let problem: String
    }

    /// Posts events, each a CloudEvent as JSON text, as one batch.
    func post(_ events: [[UInt8]]) async throws(ReplayError) -> PostAnswer {
        let body = [UInt8(ascii: "[")] + events.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
        let headers = [("Content-Type", "application/cloudevents-batch+json"), ingest.header]
        let answer: HTTPClientResponse
        do {
            answer = try await posts.send("POST", "/v1/events?app=\(app)", headers: headers, body: body)
        } catch {
            switch error.remedy {
            case .retry, .retryIfRepeatable: return .again(after: nil)
            case .giveUp: throw ReplayError(.unexpectedAnswer, "POST /v1/events: \(error)")
            }
        }
        switch answer.status {
        case 202, 207: return .items(try items(of: answer, count: events.count))
        case 429, 503: return .again(after: answer.retryAfter)
        default: throw refusal(of: answer, to: "POST /v1/events", ingest)
        }
    }

    private func items(of answer: HTTPClientResponse, count: Int) throws(ReplayError) -> [ItemAnswer] {
        let results = (try? JSON.parse(answer.body))?["results"]?.arrayValue ?? []
        guard results.count == count else {
            throw ReplayError(.unexpectedAnswer, "POST /v1/events: \(results.count) results for \(count) events")
        }
        return results.map { result in
            let problem = result["problem"]?["type"]?.stringValue ?? ""
            return ItemAnswer(
                status: Int(result["status"]?.int64Value ?? 0),
                version: result["version"]?.int64Value,
                problem: String(problem.split(separator: ":").last ?? "")
            )
        }
    }

    /// What came of asking once.
    private enum Reading {
        case found(JSON)
        case unknown
        /// No answer, 429 or 503: it may pass.
        case later
    }

    /// Asks for a JSON resource once; nil for 404 and for what may pass.
    func ask(_ path: String, query: String = "") async throws(ReplayError) -> JSON? {
        switch try await read(path, query) {
        case .found(let json): json
        case .unknown, .later: nil
        }
    }

    /// Reads a JSON resource, and waits for a Doorstep that is away; nil for 404 alone.
    func get(_ path: String, query: String = "") async throws(ReplayError) -> JSON? {
        let deadline = MonotonicTime.now + Patience.limit
        var attempt = 0
        while true {
            switch try await read(path, query) {
            case .found(let json): return json
            case .unknown: return nil
            case .later:
                guard MonotonicTime.now < deadline else {
                    throw ReplayError(
                        .unreachable,
                        "Doorstep did not answer GET \(path) for \(Patience.limit.inSeconds) s; is it still running?"
                    )
                }
                try? await loop.sleep(for: Patience.pause(afterAttempt: attempt))
                attempt += 1
            }
        }
    }

    private func read(_ path: String, _ query: String) async throws(ReplayError) -> Reading {
        let answer: HTTPClientResponse
        do {
            answer = try await reads.send("GET", "\(path)?app=\(app)\(query)", headers: [support.header])
        } catch {
            switch error.remedy {
            case .retry, .retryIfRepeatable: return .later
            case .giveUp: throw ReplayError(.unexpectedAnswer, "GET \(path): \(error)")
            }
        }
        switch answer.status {
        case 200:
            guard let json = try? JSON.parse(answer.body) else {
                throw ReplayError(.unexpectedAnswer, "GET \(path): not JSON")
            }
            return .found(json)
        case 404: return .unknown
        case 429, 503: return .later
        default: throw refusal(of: answer, to: "GET \(path)", support)
        }
    }

    /// The items of a list of one order, page by page; nothing for 404.
    func each(_ list: String, query: String, _ body: (JSON) -> Void) async throws(ReplayError) {
        var after = ""
        while let page = try await get(list, query: "\(query)&limit=1000\(after)") {
            for item in page["items"]?.arrayValue ?? [] { body(item) }
            guard let next = page["next"]?.stringValue else { return }
            after = "&after=\(PathSegment.encode(next))"
        }
    }

    private func refusal(of answer: HTTPClientResponse, to request: String, _ key: Key) -> ReplayError {
        let reason = Self.reason(of: answer)
        switch answer.status {
        case 401: return ReplayError(.refused, "\(key.variable) is not valid: \(reason)")
        case 403: return ReplayError(.refused, "\(key.variable) does not open \(request): \(reason)")
        default: return ReplayError(.unexpectedAnswer, "\(request): \(answer.status) \(reason)")
        }
    }

    private static func reason(of answer: HTTPClientResponse) -> String {
        let problem = try? JSON.parse(answer.body)
        return problem?["detail"]?.stringValue ?? problem?["title"]?.stringValue ?? "no reason given"
    }
}

extension HTTPClientResponse {
    /// Seconds only; Doorstep never sends a date here.
    fileprivate var retryAfter: Duration? { header("Retry-After").flatMap(Int.init).map { .seconds($0) } }
}

/// Ids in paths and queries: every byte but the unreserved ones is percent-encoded (RFC 3986, 2.3).
enum PathSegment {
    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
