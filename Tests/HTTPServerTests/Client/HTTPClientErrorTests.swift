import Glibc
import HTTPClient
import HTTPServer
import Runtime
import Testing

@Suite struct HTTPClientErrorTests {
    /// What a client says about a request to `port`.
    private func failure(
        _ port: Int,
        method: String = "POST",
        timeout: Duration = .seconds(30),
        limit: Int = 64 << 20
    ) async throws -> HTTPClientError? {
        let loop = try EventLoop.start(name: "client")
        defer { loop.stop() }
        let client = HTTPClient(
            loop: loop,
            baseURL: "http://127.0.0.1:\(port)",
            maxConnections: 1,
            timeout: timeout,
            responseLimit: limit
        )
        return await #expect(throws: HTTPClientError.self) { try await client.send(method, "/", body: [1, 2, 3]) }
    }

    @Test func `nobody listening is unreachable and safe to repeat`() async throws {
        let port = Socket.localAddress(of: try Socket.listen(host: "127.0.0.1", port: 0)).port
        let error = try await failure(port)
        #expect(error?.code == .unreachable)
        #expect(error?.requestWasWritten == false)
        #expect(error?.remedy == .retry)
    }

    @Test func `a connection that ends without an answer is lost`() async throws {
        let server = try RawServer([{ socket in _ = RawServer.readHead(socket) }])
        let error = try await failure(server.port)
        #expect(error?.code == .lost)
        #expect(error?.requestWasWritten == true)
        #expect(error?.remedy == .retryIfRepeatable)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ])
    func `half an answer is lost`(answer: String) async throws {
        let server = try RawServer([
            { socket in
                _ = RawServer.readHead(socket)
                RawServer.send(socket, answer)
            }
        ])
        #expect(try await failure(server.port)?.code == .lost)
    }

    @Test func `no answer in time is a timeout that may have taken effect`() async throws {
        let server = try RawServer([
            { socket in
                _ = RawServer.readHead(socket)
                // The client gives up and closes.
                _ = RawServer.readHead(socket)
            }
        ])
        let error = try await failure(server.port, timeout: .milliseconds(100))
        #expect(error?.code == .timedOut)
        #expect(error?.requestWasWritten == true)
        #expect(error?.remedy == .retryIfRepeatable)
    }

    @Test func `time spent waiting for a connection counts`() async throws {
        let server = try RawServer([
            { socket in
                _ = RawServer.readHead(socket)
                RawServer.send(socket, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nhello")
                _ = RawServer.readHead(socket)
            }
        ])
        let loop = try EventLoop.start(name: "client")
        defer { loop.stop() }
        let client = HTTPClient(loop: loop, baseURL: "http://127.0.0.1:\(server.port)", maxConnections: 1)
        let (_, endless) = try await client.stream("GET", "/1")
        let error = await failure(of: { try await client.send("GET", "/2", timeout: .milliseconds(50)) })
        #expect(error == HTTPClientError(.timedOut, requestWasWritten: false))
        #expect(error?.remedy == .retry)
        withExtendedLifetime(endless) {}
    }

    private func failure(of send: () async throws -> HTTPClientResponse) async -> HTTPClientError? {
        do {
            _ = try await send()
            return nil
        } catch {
            return error as? HTTPClientError
        }
    }

    @Test(arguments: [true, false])
    func `a cancelled caller gets its error at once`(before: Bool) async throws {
        let (reached, reach) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer([
            { socket in
                _ = RawServer.readHead(socket)
                reach.yield()
                _ = RawServer.readHead(socket)
            }
        ])
        let loop = try EventLoop.start(name: "client")
        defer { loop.stop() }
        let client = HTTPClient(loop: loop, baseURL: "http://127.0.0.1:\(server.port)", maxConnections: 1)
        let sending = Task {
            if before { while !Task.isCancelled { await Task.yield() } }
            return try await client.send("GET", "/")
        }
        if !before { for await _ in reached { break } }
        sending.cancel()
        let error = await failure(of: { try await sending.value })
        #expect(error?.code == .cancelled)
        #expect(error?.requestWasWritten == !before)
    }

    @Test func `what is not HTTP is a bad answer`() async throws {
        let server = try RawServer([
            { socket in
                _ = RawServer.readHead(socket)
                RawServer.send(socket, "SSH-2.0-OpenSSH\r\n\r\n")
            }
        ])
        #expect(try await failure(server.port)?.code == .badResponse)
    }

    @Test func `an answer over the limit is refused`() async throws {
        let server = try RawServer([
            { socket in
                _ = RawServer.readHead(socket)
                RawServer.send(
                    socket,
                    "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + String(repeating: "x", count: 2000)
                )
            }
        ])
        #expect(try await failure(server.port, limit: 1999)?.code == .badResponse)
    }

    @Test func `a kept connection that was closed meanwhile is replaced without a word`() async throws {
        let answer: @Sendable (Int32) -> Void = { socket in
            _ = RawServer.readHead(socket)
            RawServer.send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let server = try RawServer([answer, answer, answer])
        let loop = try EventLoop.start(name: "client")
        defer { loop.stop() }
        let client = HTTPClient(loop: loop, baseURL: "http://127.0.0.1:\(server.port)", maxConnections: 1)
        for _ in 0..<3 { #expect(try await client.send("POST", "/").status == 200) }
    }

    @Test(arguments: [
        ("GE T", "/", "X", "a"), ("GET", "/ HTTP/1.1\r\nX: y", "X", "a"), ("GET", "/", "X y", "a"),
        ("GET", "/", "X", "a\r\nY: b"), ("GET", "/", "", "a"), ("", "/", "X", "a"),
    ])
    func `what would be read as something else is not sent`(
        method: String,
        path: String,
        name: String,
        value: String
    )
        async throws
    {
        let loop = try EventLoop.start(name: "client")
        defer { loop.stop() }
        let client = HTTPClient(loop: loop, baseURL: "http://127.0.0.1:9", maxConnections: 1)
        let error = await #expect(throws: HTTPClientError.self) {
            try await client.send(method, path, headers: [(name, value)])
        }
        #expect(error?.code == .badRequest)
    }

    @Test func `a stream that breaks off says so`() async throws {
        let server = try RawServer([
            { socket in
                _ = RawServer.readHead(socket)
                RawServer.send(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            }
        ])
        let loop = try EventLoop.start(name: "client")
        defer { loop.stop() }
        let client = HTTPClient(loop: loop, baseURL: "http://127.0.0.1:\(server.port)", maxConnections: 1)
        let (_, body) = try await client.stream("GET", "/")
        let received = Locked<[UInt8]>([])
        let error = await #expect(throws: HTTPClientError.self) {
            for try await piece in body { received.withLock { $0 += piece } }
        }
        #expect(received.withLock { $0 } == Array("abc".utf8))
        #expect(error?.code == .lost)
    }
}
