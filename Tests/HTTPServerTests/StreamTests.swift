import Glibc
import HTTPServer
import Runtime
import Testing

@Suite struct StreamTests {
    private let get = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    /// The body of a chunked answer, and whether its end was marked.
    private func unchunked(_ answer: RawClient.Answer) -> (text: String, whole: Bool) {
        let all = answer.text
        guard let head = all.firstRange(of: "\r\n\r\n") else { return ("", false) }
        var rest = all[head.upperBound...]
        var text = ""
        while let line = rest.firstRange(of: "\r\n"), let size = Int(rest[..<line.lowerBound], radix: 16) {
            if size == 0 { return (text, true) }
            let piece = rest[line.upperBound...].utf8.prefix(size)
            text += String(piece) ?? ""
            rest = rest[line.upperBound...].dropFirst(size).dropFirst()
        }
        return (text, false)
    }

    private func streaming(_ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void) -> HTTPServer.Handler {
        { _ in
            HTTPResponse(status: 200, headers: [HTTPField("Content-Type", "text/event-stream")], body: .stream(write))
        }
    }

    @Test func `pieces arrive as they are written`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        try await withServer(
            handler: streaming { writer in
                try await writer.write("first;")
                for await _ in gate { break }
                try await writer.write("second;")
            },
            run: { [self] running in
                let client = RawClient(port: running.port)
                client.send(get)
                let early = await client.read(until: "first;")
                #expect(!early.text.contains("second"))
                open.yield()
                let late = await client.read()
                #expect(late.text.contains("second;"))
                #expect(late.text.hasSuffix("0\r\n\r\n"))
            }
        )
    }

    @Test func `a long stream arrives whole and in order`() async throws {
        try await withServer(
            handler: streaming { writer in for number in 0..<20_000 { try await writer.write("\(number)\n") } },
            run: { [self] running in
                let (text, whole) = unchunked(await exchange(running.port, get))
                #expect(text == (0..<20_000).map { "\($0)\n" }.joined())
                #expect(whole)
            }
        )
    }

    @Test func `a writer waits for a reader that is behind`() async throws {
        let written = Locked(0)
        try await withServer(
            handler: streaming { writer in
                for _ in 0..<10_000 {
                    try await writer.write([UInt8](repeating: 65, count: 1000))
                    written.withLock { $0 += 1 }
                }
            },
            run: { [self] running in
                let client = RawClient(port: running.port)
                client.send(get)
                // Until the kernel's buffers and ours are full nothing holds it; then it stands still.
                var before = -1
                while written.withLock({ $0 }) != before {
                    before = written.withLock { $0 }
                    try await Task.sleep(for: .milliseconds(100))
                }
                #expect(before < 10_000)
                let other = await exchange(running.port, "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(other.statusLines.count == 1)
                #expect(await client.read().bytes.count > 10_000_000)
            }
        )
    }

    @Test func `a stream that fails is cut so that nobody takes it for whole`() async throws {
        struct Failure: Error {}
        try await withServer(
            handler: streaming { writer in
                try await writer.write("half")
                throw Failure()
            },
            run: { [self] running in
                let answer = await exchange(running.port, get)
                let (text, whole) = unchunked(answer)
                #expect(answer.end == .closed)
                #expect(text == "half" || text.isEmpty)
                #expect(!whole)
            }
        )
    }

    @Test func `the writer learns that the client has left`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        try await withServer(
            handler: streaming { writer in
                try await writer.write("first;")
                for await _ in gate { break }
                do {
                    while true {
                        try await writer.write("heartbeat\n")
                        try? await Task.sleep(for: .milliseconds(5))
                    }
                } catch {
                    end.yield(error is HTTPBodyClosed)
                }
            },
            run: { [self] running in
                do {
                    let client = RawClient(port: running.port)
                    client.send(get)
                    #expect(await client.read(until: "first;").end == .open)
                }
                open.yield()
                var iterator = ends.makeAsyncIterator()
                #expect(await iterator.next() == true)
            }
        )
    }

    @Test func `many parked streams leave other requests alone`() async throws {
        try await withServer(
            handler: { request in
                guard request.path == "/events" else { return HTTPResponse(status: 200) }
                return HTTPResponse(
                    status: 200,
                    body: .stream { writer in
                        try await writer.write("hello\n")
                        try? await Task.sleep(for: .seconds(600))
                    }
                )
            },
            run: { [self] running in
                let clients = (0..<100).map { _ in RawClient(port: running.port) }
                for client in clients { client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n") }
                for client in clients { #expect(await client.read(until: "hello").end == .open) }
                for _ in 0..<100 { #expect(await exchange(running.port, get).statusLines == ["HTTP/1.1 200 OK"]) }
                #expect(await running.server.connectionCount >= 100)
                withExtendedLifetime(clients) {}
            }
        )
    }
}
