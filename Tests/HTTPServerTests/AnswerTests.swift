import Glibc
import HTTPServer
import Runtime
import Testing

@Suite struct AnswerTests {
    /// The pieces of a request, of which the last is followed by the end of the client's side at once or later.
    private static let pieces = [
        ["GET / HTTP/1.1\r\nHost: a\r\n\r\n"],
        ["POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"],
        ["POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n", "{}"],
        ["POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n", "{}", ""],
        ["POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", ""],
        ["POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", "0\r\n\r\n", ""],
    ]

    @Test(arguments: pieces)
    func `a client that has ended its side after the request gets its answer`(pieces: [String]) async throws {
        try await withServer(
            handler: { request in
                try? await Task.sleep(for: .milliseconds(100))
                return HTTPResponse(status: 202, body: .bytes(request.body))
            },
            run: { running in
                let answer = await talk(running.port) { client in
                    for piece in pieces {
                        client.send(piece)
                        if piece != pieces.last { usleep(20_000) }
                    }
                    client.endSending()
                    return client.read()
                }
                #expect(answer.statusLines == ["HTTP/1.1 202 Accepted"])
                #expect(answer.end == .closed)
            }
        )
    }

    @Test func `a kept connection serves request after request`() async throws {
        try await withServer { running in
            let client = RawClient(port: running.port)
            for number in 1...50 {
                client.send("POST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody")
                #expect(await client.read(until: "body").statusLines == ["HTTP/1.1 200 OK"])
            }
            #expect(running.seen.paths == (1...50).map { "/\($0)" })
            #expect(await running.server.connectionCount == 1)
        }
    }

    @Test func `requests sent at once are answered in order`() async throws {
        try await withServer(
            handler: { request in
                // The earlier, the slower.
                if request.path == "/1" { try? await Task.sleep(for: .milliseconds(50)) }
                return HTTPResponse(status: 200, body: .bytes(Array(request.path.utf8)))
            },
            run: { running in
                let all = (1...9).map {
                    "GET /\($0) HTTP/1.1\r\nHost: a\r\n\($0 == 9 ? "Connection: close\r\n" : "")\r\n"
                }
                let answer = await exchange(running.port, all.joined())
                let bodies = answer.text.split(separator: "\r\n\r\n").dropFirst().compactMap { $0.dropFirst().first }
                #expect(String(bodies) == "123456789")
            }
        )
    }

    @Test func `the answer carries status, headers, length and date`() async throws {
        try await withServer(
            handler: { _ in
                HTTPResponse(
                    status: 207,
                    headers: [HTTPField("Content-Type", "application/json")],
                    body: .bytes([123, 125])
                )
            },
            run: { running in
                let answer = await exchange(running.port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(answer.statusLines == ["HTTP/1.1 207 Multi-Status"])
                #expect(answer.text.contains("Content-Type: application/json\r\n"))
                #expect(answer.text.contains("Content-Length: 2\r\n"))
                #expect(answer.text.contains("Date: "))
                #expect(answer.text.hasSuffix("\r\n\r\n{}"))
            }
        )
    }

    @Test func `HEAD gets the head alone, of streams too`() async throws {
        for body in [HTTPResponse.Body.bytes([65, 65]), .stream { writer in try await writer.write("AA") }] {
            try await withServer(
                handler: { _ in HTTPResponse(status: 200, body: body) },
                run: { running in
                    let answer = await exchange(running.port, "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    #expect(answer.statusLines == ["HTTP/1.1 200 OK"])
                    #expect(answer.text.hasSuffix("\r\n\r\n"))
                }
            )
        }
    }

    @Test func `204 has no body`() async throws {
        try await withServer(
            handler: { _ in HTTPResponse(status: 204) },
            run: { running in
                let answer = await exchange(running.port, "DELETE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(answer.statusLines == ["HTTP/1.1 204 No Content"])
                #expect(answer.text.hasSuffix("\r\n\r\n"))
            }
        )
    }

    @Test func `a client that expects 100 is told to go on`() async throws {
        try await withServer { running in
            let answer = await talk(running.port) { client in
                client.send(
                    "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\n"
                )
                let goOn = client.read(until: "\r\n\r\n").statusLines
                client.send("ab")
                return goOn + client.read().statusLines
            }
            #expect(answer == ["HTTP/1.1 100 Continue", "HTTP/1.1 200 OK"])
        }
    }

    @Test func `a header that would end the line is left out`() async throws {
        try await withServer(
            handler: { _ in HTTPResponse(status: 200, headers: [HTTPField("X", "a\r\nSet-Cookie: b")]) },
            run: { running in
                let answer = await exchange(running.port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(answer.statusLines == ["HTTP/1.1 200 OK"])
                #expect(!answer.text.contains("Set-Cookie"))
            }
        )
    }

    @Test func `handlers run on the loop, before and after they wait`() async throws {
        let loops = Locked<[Bool]>([])
        let loopBox = Locked<EventLoop?>(nil)
        try await withServer(
            handler: { _ in
                let loop = loopBox.withLock { $0 }
                loops.withLock { $0.append(loop?.isOnLoop == true) }
                try? await loop?.sleep(for: .milliseconds(1))
                loops.withLock { $0.append(loop?.isOnLoop == true) }
                return HTTPResponse(status: 200)
            },
            run: { running in
                loopBox.withLock { $0 = running.loop }
                _ = await exchange(running.port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(loops.withLock { $0 } == [true, true])
            }
        )
    }

    @Test func `a client that leaves early ends only its own request`() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        try await withServer(
            handler: { request in
                start.yield()
                if request.path == "/slow" { try? await Task.sleep(for: .milliseconds(200)) }
                return HTTPResponse(status: 200)
            },
            run: { running in
                do {
                    let leaving = RawClient(port: running.port)
                    leaving.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
                    for await _ in started { break }
                }
                let answer = await exchange(running.port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(answer.statusLines == ["HTTP/1.1 200 OK"])
                while await running.server.connectionCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
            }
        )
    }
}
