import Glibc
import HTTPClient
import HTTPServer
import Runtime
import Testing

@Suite struct HTTPClientTests {
    private func client(_ running: Running, connections: Int = 4, timeout: Duration = .seconds(30)) -> HTTPClient {
        HTTPClient(
            loop: running.loop,
            baseURL: "http://127.0.0.1:\(running.port)",
            maxConnections: connections,
            timeout: timeout
        )
    }

    @Test(arguments: ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
    func `a request arrives as it was asked for and its answer comes back`(method: String) async throws {
        try await withServer { running in
            let body: [UInt8] = method == "GET" ? [] : [0, 1, 2, 255]
            let response = try await client(running).send(
                method,
                "/v1/a%2Fb/../c?q=%20",
                headers: [("X-One", "1"), ("X-Empty", "")],
                body: body
            )
            #expect(response.status == 200)
            #expect(response.body == body)
            #expect(response.header("x-length") == "\(body.count)")
            let seen = try #require(running.seen.all.first)
            #expect(seen.method == method)
            #expect(seen.path == "/v1/a%2Fb/../c")
            #expect(seen.query == "q=%20")
            #expect(seen.headers.first("X-One") == "1")
            #expect(seen.headers.first("X-Empty") == "")
            #expect(seen.headers.first("Expect") == nil)
            #expect(seen.headers.first("Content-Type") == nil)
        }
    }

    @Test func `HEAD ends with the head`() async throws {
        try await withServer(
            handler: { _ in HTTPResponse(status: 200, body: .bytes([1, 2, 3])) },
            run: { running in
                let response = try await client(running).send("HEAD", "/")
                #expect(response.body.isEmpty)
                #expect(response.header("Content-Length") == "3")
            }
        )
    }

    @Test func `large bodies go both ways whole`() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        try await withServer { running in
            let response = try await client(running).send("POST", "/", body: body)
            #expect(response.body == body)
        }
    }

    @Test func `many requests at once share the few connections`() async throws {
        try await withServer { running in
            let client = client(running, connections: 3)
            let statuses = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<500 {
                    group.addTask {
                        try? await client.send("POST", "/\(number)", body: [UInt8](repeating: 1, count: number)).status
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [Int?](repeating: 200, count: 500))
            #expect(Set(running.seen.paths).count == 500)
            #expect(await running.server.connectionCount <= 3)
        }
    }

    @Test func `a status is an answer and not an error`() async throws {
        try await withServer(
            handler: { _ in HTTPResponse(status: 503, headers: [HTTPField("Retry-After", "1")]) },
            run: { running in
                let response = try await client(running).send("GET", "/")
                #expect(response.status == 503)
                #expect(response.header("retry-after") == "1")
            }
        )
    }

    @Test func `a body piece by piece`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        try await withServer(
            handler: { _ in
                HTTPResponse(
                    status: 200,
                    body: .stream { writer in
                        try await writer.write("one")
                        for await _ in gate { break }
                        try await writer.write("two")
                    }
                )
            },
            run: { running in
                let (head, body) = try await client(running).stream("GET", "/")
                #expect(head.status == 200)
                var pieces: [String] = []
                for try await piece in body {
                    pieces.append(String(decoding: piece, as: UTF8.self))
                    open.yield()
                }
                #expect(pieces.joined() == "onetwo")
                #expect(pieces.first == "one")
            }
        )
    }

    @Test func `a stream that is dropped gives its connection back`() async throws {
        try await withServer(
            handler: { request in
                guard request.path == "/endless" else { return HTTPResponse(status: 200) }
                return HTTPResponse(
                    status: 200,
                    body: .stream { writer in while true { try await writer.write("tick\n") } }
                )
            },
            run: { running in
                let client = client(running, connections: 1)
                for _ in 0..<3 {
                    let (_, body) = try await client.stream("GET", "/endless")
                    for try await _ in body { break }
                }
                #expect(try await client.send("GET", "/").status == 200)
            }
        )
    }
}
