import HTTPServer
import Runtime

/// What a handler got to see, for tests to ask afterwards.
final class Seen: Sendable {
    private let requests = Locked<[HTTPRequest]>([])

    func note(_ request: HTTPRequest) { requests.withLock { $0.append(request) } }
    var all: [HTTPRequest] { requests.withLock { $0 } }
    var paths: [String] { all.map(\.path) }
}

/// A running server and what surrounds it.
struct Running: Sendable {
    let loop: EventLoop
    let server: HTTPServer
    let port: Int
    let seen: Seen
}

extension HTTPServerSettings {
    /// Deadlines short enough for tests and long enough for busy machines.
    static func quick(_ change: (inout HTTPServerSettings) -> Void = { _ in }) -> HTTPServerSettings {
        var settings = HTTPServerSettings()
        settings.headerDeadline = .seconds(10)
        settings.drainDeadline = .seconds(2)
        change(&settings)
        return settings
    }
}

/// Runs a server on a loop of its own, hands it to `body`, and drains it.
@discardableResult
func withServer<Value: Sendable>(
    _ settings: HTTPServerSettings = .quick(),
    handler: @escaping HTTPServer.Handler = { request in
        HTTPResponse(
            status: 200,
            headers: [HTTPField("X-Length", String(request.body.count))],
            body: .bytes(request.body)
        )
    },
    run body: @Sendable (Running) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop.start(name: "server")
    defer { loop.stop() }
    let seen = Seen()
    let server = HTTPServer(
        loop: loop,
        settings: settings,
        faultResponse: { fault in
            HTTPResponse(
                status: fault.status,
                headers: [HTTPField("X-Fault", "yes")],
                body: .bytes(Array("\(fault)".utf8))
            )
        },
        handler: { request in
            seen.note(request)
            return await handler(request)
        }
    )
    let port = try await server.start()
    let serving = Task(executorPreference: loop.tasks) { try await server.run() }
    let result: Result<Value, any Error>
    do {
        result = .success(try await body(Running(loop: loop, server: server, port: port, seen: seen)))
    } catch {
        result = .failure(error)
    }
    serving.cancel()
    try await serving.value
    return try result.get()
}
