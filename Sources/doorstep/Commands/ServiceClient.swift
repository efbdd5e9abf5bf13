private import HTTPClient
internal import JSONText
internal import Runtime

/// A running Doorstep, asked over its API with the keys of the environment.
struct ServiceClient: Sendable {
    static let options: [CommandSpec.Option] = [
        .init("--app", "APP", "default: DOORSTEP_APP, else demo")
    ]

    private let url: String
    private let key: String
    private let app: String

    /// Role supervisor sees most; support suffices.
    init(_ arguments: inout Arguments) {
        url = arguments.variable("DOORSTEP_URL") ?? "http://127.0.0.1:8080"
        key = arguments.variable("DOORSTEP_SUPERVISOR_KEY") ?? arguments.needed("DOORSTEP_SUPPORT_KEY")
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
        let detail = json?["detail"]?.stringValue ?? json?["title"]?.stringValue ?? "no reason given"
        switch answer.status {
        case 401, 403, 404: throw Failure(.refused, "\(answer.status): \(detail)")
        case 429, 503: throw Failure(.unreachable, "\(answer.status): \(detail); try again in a moment")
        default: throw Failure(.internalError, "\(answer.status): \(detail)")
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
