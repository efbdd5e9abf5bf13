import Glibc
import HTTPServer
import Testing

@Suite struct LimitTests {
    private let small = HTTPServerSettings.quick { $0.maxBodyBytes = 1000 }

    private func post(_ framing: String) -> String { "POST / HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n" }

    @Test func `a body of just the limit is served, whatever its framing`() async throws {
        let body = String(repeating: "x", count: 1000)
        try await withServer(small) { running in
            let declared = await talk(running.port) { client in
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + body)
                return client.read(until: body)
            }
            #expect(declared.statusLines == ["HTTP/1.1 200 OK"])
            let chunked = await talk(running.port) { client in
                client.send(
                    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n\(body)\r\n0\r\n\r\n"
                )
                return client.read(until: body)
            }
            #expect(chunked.statusLines == ["HTTP/1.1 200 OK"])
            #expect(running.seen.all.map(\.body.count) == [1000, 1000])
        }
    }

    @Test func `a declared body over the limit is refused before it is read`() async throws {
        try await withServer(small) { running in
            for tail in ["", "Expect: 100-continue\r\n"] {
                let answer = await exchange(
                    running.port,
                    "POST / HTTP/1.1\r\nHost: a\r\n\(tail)Content-Length: 1001\r\n\r\n"
                )
                #expect(answer.statusLines == ["HTTP/1.1 413 Content Too Large"])
                #expect(answer.text.hasSuffix("bodyTooLarge(limit: 1000)"))
                #expect(answer.end == .closed)
            }
            #expect(running.seen.all.isEmpty)
        }
    }

    @Test func `the refusal survives a client that sends it all the same`() async throws {
        try await withServer(small) { running in
            let answer = await talk(running.port) { client in
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n")
                client.send([UInt8](repeating: 120, count: 4_000_000))
                client.send("GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
                client.endSending()
                return client.read()
            }
            #expect(answer.statusLines == ["HTTP/1.1 413 Content Too Large"])
            #expect(answer.end == .closed)
            #expect(running.seen.all.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `a chunked body over the limit is refused while it arrives`(goesOn: Bool) async throws {
        try await withServer(small) { running in
            let answer = await talk(running.port) { client in
                client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<(goesOn ? 5000 : 11) { client.send("64\r\n\(String(repeating: "x", count: 100))\r\n") }
                if goesOn { client.send("0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n") }
                return client.read()
            }
            #expect(answer.statusLines == ["HTTP/1.1 413 Content Too Large"])
            #expect(answer.text.hasSuffix("bodyTooLarge(limit: 1000)"))
            #expect(answer.end == .closed)
            #expect(running.seen.all.isEmpty)
        }
    }

    @Test func `bodies that hold too much together are refused, and there is room again afterwards`() async throws {
        let settings = HTTPServerSettings.quick { $0.allBodiesBytes = 1000 }
        try await withServer(settings) { running in
            let holder = RawClient(port: running.port)
            holder.send(
                "POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 700\r\n\r\n" + String(repeating: "x", count: 699)
            )
            for _ in 0..<5_000 where await running.server.heldBytes < 699 {
                try await Task.sleep(for: .milliseconds(2))
            }
            #expect(await running.server.heldBytes == 699)
            let declared = await exchange(running.port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 302\r\n\r\n")
            #expect(declared.statusLines == ["HTTP/1.1 503 Service Unavailable"])
            #expect(declared.text.hasSuffix("overloaded"))
            let chunked = await exchange(
                running.port,
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n12e\r\n\(String(repeating: "x", count: 302))\r\n"
            )
            #expect(chunked.statusLines == ["HTTP/1.1 503 Service Unavailable"])
            holder.send("x")
            #expect(await holder.read(until: "xxx").statusLines == ["HTTP/1.1 200 OK"])
            let body = String(repeating: "y", count: 1000)
            let next = await talk(running.port) { client in
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + body)
                return client.read(until: body)
            }
            #expect(next.statusLines == ["HTTP/1.1 200 OK"])
            #expect(await running.server.heldBytes == 0)
        }
    }

    @Test func `headers up to the limit are served`() async throws {
        try await withServer { running in
            let fixed = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: \r\n\r\n"
            let filler = String(repeating: "y", count: 8192 - fixed.utf8.count)
            let answer = await exchange(running.port, fixed.replacing("X: ", with: "X: " + filler))
            #expect(answer.statusLines == ["HTTP/1.1 200 OK"])
            #expect(running.seen.all.first?.headers.first("x") == filler)
        }
    }

    @Test(arguments: [8193, 12_000, 64 << 10])
    func `headers over the limit are refused`(size: Int) async throws {
        try await withServer { running in
            let fixed = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: \r\n\r\n"
            let filler = String(repeating: "y", count: size - fixed.utf8.count)
            let answer = await exchange(running.port, fixed.replacing("X: ", with: "X: " + filler))
            #expect(answer.statusLines == ["HTTP/1.1 431 Request Header Fields Too Large"])
            #expect(answer.end == .closed)
            #expect(running.seen.all.isEmpty)
        }
    }

    @Test func `very many small headers are refused`() async throws {
        try await withServer { running in
            let head = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "a:b\r\n", count: 1500) + "\r\n"
            let answer = await exchange(running.port, head)
            #expect(answer.statusLines == ["HTTP/1.1 431 Request Header Fields Too Large"])
            #expect(running.seen.all.isEmpty)
        }
    }

    @Test func `a large body arrives whole`() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try await withServer { running in
            let answer = await talk(running.port) { client in
                client.send("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n")
                client.send(body)
                return client.read()
            }
            #expect(running.seen.all.first?.body == body)
            #expect(answer.bytes.suffix(body.count) == body[...])
        }
    }

    @Test func `connections over the limit wait for their turn`() async throws {
        try await withServer(.quick { $0.connectionLimit = 2 }) { running in
            let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            let first = RawClient(port: running.port)
            let second = RawClient(port: running.port)
            first.send(request)
            second.send(request)
            #expect(await first.read(until: "\r\n\r\n").statusLines.count == 1)
            #expect(await second.read(until: "\r\n\r\n").statusLines.count == 1)
            let third = RawClient(port: running.port)
            third.send("GET /third HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await running.server.connectionCount == 2)
            first.endSending()
            #expect(await third.read(until: "\r\n\r\n").statusLines.count == 1)
            #expect(running.seen.paths.last == "/third")
            withExtendedLifetime(second) {}
        }
    }

    @Test func `a port in use is an error`() async throws {
        try await withServer { running in
            let other = HTTPServer(loop: running.loop, settings: HTTPServerSettings(port: running.port)) { _ in
                HTTPResponse(status: 200)
            }
            let failure = await #expect(throws: HTTPServerError.self) { _ = try await other.start() }
            #expect(failure?.code == .cannotListen)
        }
    }
}
