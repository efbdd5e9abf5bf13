import Glibc
import HTTPServer
import Runtime
import Testing

@Suite struct DrainTests {
    /// A server whose end a test controls.
    private struct Served: Sendable {
        let loop: EventLoop
        let server: HTTPServer
        let port: Int
        let serving: Task<Void, any Error>

        init(_ settings: HTTPServerSettings = .quick(), handler: @escaping HTTPServer.Handler) async throws {
            loop = try EventLoop.start(name: "server")
            let server = HTTPServer(loop: loop, settings: settings, handler: handler)
            self.server = server
            port = try await server.start()
            serving = Task(executorPreference: loop.tasks) { try await server.run() }
        }

        func stop() async throws {
            serving.cancel()
            try await serving.value
            loop.stop()
        }
    }

    private func isFree(_ port: Int) -> Bool {
        do {
            _ = try Socket.listen(host: "127.0.0.1", port: port)
            return true
        } catch {
            return false
        }
    }

    private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `an idle server stops at once and its port is free`() async throws {
        let served = try await Served { _ in HTTPResponse(status: 200) }
        try await served.stop()
        let again = try Socket.listen(host: "127.0.0.1", port: served.port)
        #expect(Socket.localAddress(of: again).port == served.port)
    }

    @Test func `idle connections are closed`() async throws {
        let served = try await Served { _ in HTTPResponse(status: 200) }
        let silent = RawClient(port: served.port)
        let kept = RawClient(port: served.port)
        kept.send(get)
        #expect(await kept.read(until: "\r\n\r\n").statusLines.count == 1)
        try await served.stop()
        #expect(await silent.read().end != .silent)
        #expect(await kept.read().end == .closed)
    }

    @Test func `a request under way is finished and told that the connection closes`() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let served = try await Served { _ in
            start.yield()
            for await _ in gate { break }
            return HTTPResponse(status: 202)
        }
        let client = RawClient(port: served.port)
        client.send(get)
        for await _ in started { break }
        served.serving.cancel()
        // The port is given up when the drain begins.
        while !isFree(served.port) { try await Task.sleep(for: .milliseconds(5)) }
        open.yield()
        try await served.stop()
        let answer = await client.read()
        #expect(answer.statusLines == ["HTTP/1.1 202 Accepted"])
        #expect(answer.text.contains("Connection: close"))
        #expect(answer.end == .closed)
    }

    @Test func `streams are cancelled and end properly`() async throws {
        let served = try await Served { _ in
            HTTPResponse(
                status: 200,
                body: .stream { writer in
                    try await writer.write("hello\n")
                    try? await Task.sleep(for: .seconds(600))
                    try await writer.write("bye\n")
                }
            )
        }
        let client = RawClient(port: served.port)
        client.send(get)
        #expect(await client.read(until: "hello").end == .open)
        try await served.stop()
        let rest = await client.read()
        #expect(rest.text.contains("bye"))
        #expect(rest.text.hasSuffix("0\r\n\r\n"))
        #expect(rest.end == .closed)
    }

    @Test func `a handler that does not end in time is cancelled`() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let served = try await Served(.quick { $0.drainDeadline = .milliseconds(100) }) { _ in
            start.yield()
            do {
                try await Task.sleep(for: .seconds(600))
                return HTTPResponse(status: 200)
            } catch {
                return HTTPResponse(status: 503)
            }
        }
        let client = RawClient(port: served.port)
        client.send(get)
        for await _ in started { break }
        try await served.stop()
        #expect(await client.read().end != .silent)
    }

    @Test func `a handler that never ends does not hold the server`() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let served = try await Served(.quick { $0.drainDeadline = .milliseconds(100) }) { _ in
            start.yield()
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Task {
                    for await _ in gate { break }
                    continuation.resume()
                }
            }
            return HTTPResponse(status: 200)
        }
        let client = RawClient(port: served.port)
        client.send(get)
        for await _ in started { break }
        try await served.stop()
        #expect(await client.read().bytes.isEmpty)
        open.yield()
    }

    @Test func `half a request does not hold the server`() async throws {
        let served = try await Served(.quick { $0.drainDeadline = .milliseconds(200) }) { _ in HTTPResponse(status: 200)
        }
        let client = RawClient(port: served.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        while await served.server.connectionCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
        try await served.stop()
        #expect(await client.read().end != .silent)
    }

    @Test func `streams and idle connections by the hundred are gone after the drain`() async throws {
        let served = try await Served { request in
            guard request.path == "/events" else { return HTTPResponse(status: 200) }
            return HTTPResponse(
                status: 200,
                body: .stream { writer in
                    while !Task.isCancelled {
                        try await writer.write("tick\n")
                        try? await Task.sleep(for: .milliseconds(20))
                    }
                }
            )
        }
        let port = served.port
        let clients = await withTaskGroup(of: RawClient.Answer.self) { group in
            for number in 0..<120 {
                group.addTask {
                    await talk(port) { client in
                        client.send("GET \(number < 100 ? "/events" : "/") HTTP/1.1\r\nHost: a\r\n\r\n")
                        return client.read()
                    }
                }
            }
            while await served.server.connectionCount < 120 { usleep(5000) }
            try? await Task.sleep(for: .milliseconds(100))
            try? await served.stop()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(clients.allSatisfy { $0.end == .closed && $0.statusLines == ["HTTP/1.1 200 OK"] })
    }
}
