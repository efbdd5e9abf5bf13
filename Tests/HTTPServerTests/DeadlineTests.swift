import Glibc
import HTTPServer
import Testing

/// Sends a byte every 20 ms until the server has had enough of it.
private func trickle(_ client: RawClient, _ byte: String) {
    while client.send(byte) { usleep(20_000) }
}

@Suite struct DeadlineTests {
    private let short = HTTPServerSettings.quick {
        $0.headerDeadline = .milliseconds(200)
        $0.bodyDeadline = .milliseconds(300)
        $0.idleDeadline = .milliseconds(200)
        $0.writeDeadline = .milliseconds(300)
    }

    @Test func `headers that trickle are cut off with 408`() async throws {
        try await withServer(short) { running in
            let answer = await talk(running.port) { client in
                client.send("GET / HTTP/1.1\r\nX: ")
                trickle(client, "a")
                return client.read()
            }
            #expect(answer.end != .silent)
            #expect(running.seen.all.isEmpty)
        }
    }

    @Test func `headers that stop are answered with 408`() async throws {
        try await withServer(short) { running in
            let answer = await exchange(running.port, "GET / HTTP/1.1\r\nX: ")
            #expect(answer.statusLines == ["HTTP/1.1 408 Request Timeout"])
            #expect(answer.text.hasSuffix("timedOut"))
            #expect(answer.end == .closed)
        }
    }

    @Test func `a request line that trickles or stops is answered with 408`() async throws {
        try await withServer(short) { running in
            let slow = await talk(running.port) { client in
                trickle(client, "a")
                return client.read()
            }
            #expect(slow.statusLines == ["HTTP/1.1 408 Request Timeout"])
            #expect(slow.end != .silent)
            let stopped = await exchange(running.port, "GE")
            #expect(stopped.statusLines == ["HTTP/1.1 408 Request Timeout"])
            #expect(stopped.text.hasSuffix("timedOut"))
            #expect(stopped.end == .closed)
        }
    }

    @Test func `a silent connection is closed`() async throws {
        try await withServer(short) { running in
            let answer = await talk(running.port) { client in client.read() }
            #expect(answer.end == .closed)
            #expect(answer.bytes.isEmpty)
        }
    }

    @Test(arguments: ["Content-Length: 100000", "Transfer-Encoding: chunked"])
    func `a body that trickles is cut off`(framing: String) async throws {
        try await withServer(short) { running in
            let answer = await talk(running.port) { client in
                client.send("POST / HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n1;")
                trickle(client, "a")
                return client.read()
            }
            #expect(answer.end != .silent)
            #expect(running.seen.all.isEmpty)
        }
    }

    @Test(arguments: ["Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"])
    func `a body that stops is answered with 408`(rest: String) async throws {
        try await withServer(short) { running in
            let answer = await exchange(running.port, "POST / HTTP/1.1\r\nHost: a\r\n\(rest)")
            #expect(answer.statusLines == ["HTTP/1.1 408 Request Timeout"])
            #expect(answer.end == .closed)
            #expect(running.seen.all.isEmpty)
        }
    }

    @Test func `a kept connection without a request is closed`() async throws {
        try await withServer(short) { running in
            let answer = await exchange(running.port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer.statusLines == ["HTTP/1.1 200 OK"])
            #expect(answer.end == .closed)
        }
    }

    @Test func `a handler may take longer than any deadline`() async throws {
        try await withServer(
            short,
            handler: { _ in
                try? await Task.sleep(for: .milliseconds(700))
                return HTTPResponse(status: 202)
            },
            run: { running in
                let answer = await exchange(running.port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(answer.statusLines == ["HTTP/1.1 202 Accepted"])
            }
        )
    }

    @Test func `a client that does not read its answer is cut off`() async throws {
        try await withServer(
            short,
            handler: { _ in HTTPResponse(status: 200, body: .bytes([UInt8](repeating: 65, count: 32 << 20))) },
            run: { running in
                let client = RawClient(port: running.port)
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                while running.seen.all.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
                while await running.server.connectionCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
                #expect(await client.read().bytes.count < 32 << 20)
            }
        )
    }

    @Test func `a client that does not read its stream is cut off and the writer learns it`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        try await withServer(
            short,
            handler: { _ in
                HTTPResponse(
                    status: 200,
                    body: .stream { writer in
                        do {
                            while true { try await writer.write([UInt8](repeating: 65, count: 8192)) }
                        } catch {
                            end.yield(true)
                        }
                    }
                )
            },
            run: { running in
                let client = RawClient(port: running.port)
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                var iterator = ends.makeAsyncIterator()
                #expect(await iterator.next() == true)
                withExtendedLifetime(client) {}
            }
        )
    }
}
