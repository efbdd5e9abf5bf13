import JSONText
import Runtime
import TestSupport

/// An HTTP server that answers from a function and remembers what was asked: Doorstep and the simulator in one.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        let method: String
        /// Without the query.
        let path: String
        let authorization: String?
        let body: String

        var line: String { "\(method) \(path)" }

        /// Nil as long as bytes are missing.
        init?(_ text: String) {
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            let lines = parts[0].split(separator: "\r\n")
            let words = lines[0].split(separator: " ")
            func header(_ name: String) -> Substring? {
                lines.first { $0.lowercased().hasPrefix("\(name): ") }?.dropFirst(name.count + 2)
            }
            guard parts[1].utf8.count == header("content-length").flatMap({ Int($0) }) ?? 0 else { return nil }
            method = String(words[0])
            path = String(words[1].prefix { $0 != "?" })
            authorization = header("authorization").map(String.init)
            body = String(parts[1])
        }
    }

    struct Answer: Sendable {
        var status = 200
        var body: JSON = [:]
    }

    let url: String
    private let listener: Descriptor
    private let script: @Sendable (Request) -> Answer
    private let seen = Locked<[Request]>([])

    private init(_ script: @escaping @Sendable (Request) -> Answer) throws {
        listener = try Socket.listen(host: "127.0.0.1", port: 0)
        url = "http://\(Socket.localAddress(of: listener))"
        self.script = script
    }

    /// What was asked so far, oldest first.
    var requests: [Request] { seen.withLock { $0 } }

    /// Runs `body` with a server that answers by `script`.
    static func with(
        _ script: @escaping @Sendable (Request) -> Answer,
        _ body: (ScriptedServer) async throws -> Void
    ) async throws {
        let server = try ScriptedServer(script)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            try await body(server)
            group.cancelAll()
        }
    }

    /// One connection after the other, each for one request, until cancelled.
    private func serve() async throws {
        while !Task.isCancelled {
            if let connection = try Socket.accept(listener) {
                try await answer(connection.take())
            } else {
                try? await TestLoop.shared.sleep(for: .milliseconds(2))
            }
        }
    }

    private func answer(_ socket: consuming Descriptor) async throws {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !Task.isCancelled {
            switch Socket.read(socket, into: &buffer) {
            case .bytes(let count): text += buffer.prefix(count)
            case .wouldBlock: try? await TestLoop.shared.sleep(for: .milliseconds(1))
            case .closed, .failed: return
            }
            guard let request = Request(String(decoding: text, as: UTF8.self)) else { continue }
            seen.withLock { $0.append(request) }
            let answer = script(request)
            let body = answer.body.serialized()
            let head = "HTTP/1.1 \(answer.status) X\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
            _ = Socket.write(socket, (Array(head.utf8) + body)[...])
            return
        }
    }
}
