private import HTTPClient
internal import JSONText
internal import Runtime

/// A running Doorstep, asked over its API with the keys of the environment.
struct ServiceClient: Sendable {
    static let options: [CommandSpec.Option] = [
        .init("--app", "APP", "default: DOORSTEP_APP, else demo")
    ]

    private let url: String
    /// The setting that the key comes from.
    private let variable: String
    /// Never logged, never in errors.
    private let key: String
    private let app: String

    /// Role supervisor sees most; support suffices.
    init(_ arguments: inout Arguments) {
        url = arguments.variable("DOORSTEP_URL") ?? "http://127.0.0.1:8080"
        if let supervisor = arguments.variable("DOORSTEP_SUPERVISOR_KEY") {
            (variable, key) = ("DOORSTEP_SUPERVISOR_KEY", supervisor)
        } else {
            variable = "DOORSTEP_SUPPORT_KEY"
            key = arguments.needed(variable)
        }
        app = arguments.text("--app", or: "DOORSTEP_APP") ?? "demo"
    }

    /// A JSON resource; `path` is percent-encoded.
    func get(_ path: String, query: String = "", on loop: EventLoop) async throws(Failure) -> JSON {
        let client = HTTPClient(loop: loop, baseURL: url, maxConnections: 1)
        let answer: HTTPClientResponse
        do {
            let headers = [("Authorization", "Bearer \(key)")]
            answer = try await client.send("GET", "\(path)?app=\(app.percentEncoded)\(query)", headers: headers)
        } catch {
            throw Failure(.unreachable, "Doorstep does not answer at \(url) (\(error)); start it with `doorstep up`")
        }
        let json = try? JSON.parse(answer.body)
        if answer.status == 200, let json { return json }
        throw Self.failure(status: answer.status, json, variable: variable)
    }

    /// What a refusal means for one who typed the command; `variable` is where the key came from.
    static func failure(status: Int, _ problem: JSON?, variable: String) -> Failure {
        let detail = problem?["detail"]?.stringValue ?? problem?["title"]?.stringValue ?? "no reason given"
        switch status {
        case 401: return Failure(.refused, "401: \(variable) is not valid: \(detail)")
        case 403: return Failure(.refused, "403: \(variable) does not open this: \(detail)")
        case 404: return Failure(.refused, "404: \(detail)")
        case 429, 503: return Failure(.unreachable, "\(status): \(detail); try again in a moment")
        // What was asked for came from the command line.
        case 400..<500: return Failure(.usage, faults(problem) ?? ["\(status): \(detail)"])
        default: return Failure(.internalError, "\(status): \(detail)")
        }
    }

    /// Field, rule and message of everything that breaks a rule (docs/problems.md).
    private static func faults(_ problem: JSON?) -> [String]? {
        guard let errors = problem?["errors"]?.arrayValue, !errors.isEmpty else { return nil }
        return errors.map { error in
            let words = ["pointer", "rule", "detail"].map { error[$0]?.stringValue ?? "" }
            return "\(words[0]) (\(words[1])): \(words[2])"
        }
    }

    /// All items of a list, page by page.
    func items(of path: String, query: String, on loop: EventLoop) async throws(Failure) -> [JSON] {
        var items: [JSON] = []
        var after = ""
        while true {
            let page = try await get(path, query: "\(query)&limit=1000\(after)", on: loop)
            items += page["items"]?.arrayValue ?? []
            guard let next = page["next"]?.stringValue else { return items }
            after = "&after=\(next.percentEncoded)"
        }
    }
}
