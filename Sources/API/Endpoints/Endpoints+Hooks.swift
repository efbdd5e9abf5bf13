internal import Adapters
internal import HTTPServer
internal import JSONText

/// Webhooks of delivery platforms as they are (docs/adapters.md).
extension Endpoints {
    /// `POST /v1/hooks/{name}`: the name is that of a source with an adapter or, for the holder of a key, of an adapter that is
    /// built in.
    ///
    /// Platforms repeat what is not answered by 2xx. So events that cannot be kept for now refuse the whole, which is sent
    /// again; what is wrong with single events is told in a 207, as no repeat would mend it.
    func postHook(_ call: Call) async throws(Problem) -> HTTPResponse {
        let name = try call.parameter("name")
        let (hook, caller) = try await recipient(of: call, named: name)
        let body = try call.request.inflatedBody(limit: IngestLimits.bodyBytes)
        let made: [JSONObject]
        do throws(AdapterError) {
            made = try hook.adapter.events(from: call.hookRequest(hook, body: body), source: name)
        } catch {
            throw Problem(error)
        }
        var intake = intake(call, by: caller)
        let items = made.map { event in
            let json = JSON.object(event)
            // What is kept as received is the webhook, as far as it is no larger than an event may be.
            return (value: json, raw: body.count <= IngestLimits.eventBytes ? body : json.serialized())
        }
        let batch = await append(items, by: &intake)
        if let unavailable = batch.unavailable { throw unavailable }
        return batch.response
    }

    /// `GET /v1/hooks/{name}`: a platform asks whether somebody listens here, and wants its word back.
    func getHook(_ call: Call) async throws(Problem) -> HTTPResponse {
        let name = try call.parameter("name")
        let adapters = try await hooks(named: name, app: call.query["app"]).map(\.adapter) + Self.builtIn(name)
        guard let answer = adapters.lazy.compactMap({ $0.challenge(query: call.query.values) }).first else {
            throw Problem(.notFound, "Webhooks are taken here by POST.")
        }
        let type = HTTPField("Content-Type", "text/plain; charset=utf-8")
        return HTTPResponse(status: 200, headers: [type], body: .bytes(answer))
    }

    private func recipient(of call: Call, named name: String) async throws(Problem) -> (Hook, Caller) {
        if let caller = call.admitted {
            let configured = try await hooks(named: name, app: caller.app).first
            guard let hook = configured ?? Self.builtIn(name).first.map({ Hook(app: caller.app, adapter: $0) }) else {
                throw Problem(
                    .notFound,
                    "No source and no adapter has this name; docs/adapters.md lists those built in."
                )
            }
            return (hook, caller)
        }
        for hook in try await hooks(named: name, app: call.query["app"]) where !hook.secrets.isEmpty {
            let request = call.hookRequest(hook, body: call.request.body)
            if hook.adapter.isAuthentic(request, secrets: hook.secrets) {
                return (hook, try counted(Caller(signing: name, app: hook.app)))
            }
        }
        throw Self.unsigned
    }

    private func hooks(named name: String, app: String?) async throws(Problem) -> [Hook] {
        try await asking { () async throws(Unavailable) in try await ports.access.hooks(of: name, app: app) }
    }

    private static func builtIn(_ name: String) -> [Adapter] { Adapter.builtIn.filter { $0.name == name } }
}

extension Call {
    /// The webhook as its platform sent it. Platforms call a proxy by HTTPS, which calls us: where the address is signed and
    /// the proxy does not keep its host, it is configured.
    fileprivate func hookRequest(_ hook: Hook, body: [UInt8]) -> HookRequest {
        let target = request.path + (request.query.map { "?\($0)" } ?? "")
        return HookRequest(
            method: request.method,
            url: hook.address ?? "https://\(request.headers.first("host") ?? "")\(target)",
            headers: request.headers.fields.map { ($0.name, $0.value) },
            body: body
        )
    }
}

extension Problem {
    fileprivate init(_ error: AdapterError) {
        switch error.code {
        case .badBody: self.init(.invalidJSON, error.description)
        case .badAdapter, .noEvent, .tooManyEvents:
            self.init(.invalidEvent, faults: error.problems.map { Fault($0.pointer, .format, $0.detail) })
        }
    }
}
