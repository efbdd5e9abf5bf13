import Glibc
import HTTPServer
import Testing

private let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

/// Requests whose end is in doubt, by what is wrong with them.
private let doubtful: [(name: String, head: String)] = [
    (
        "length, then chunked",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ),
    (
        "chunked, then length",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
    ),
    ("two different lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 7\r\n\r\n{}"),
    ("two equal lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}"),
    (
        "two encodings",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ),
    ("gzip, chunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    ("xchunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
    ("identity", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n"),
    ("empty encoding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\r\n"),
    ("chunked in HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    (
        "space before the colon of an encoding",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n"
    ),
    ("space before the colon of a length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 2\r\n\r\n{}"),
    ("tab before the colon", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length\t: 2\r\n\r\n{}"),
    ("no host", "GET / HTTP/1.1\r\nX: a\r\n\r\n"),
    ("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
    ("bare CR in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n"),
    ("control in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{1}b\r\n\r\n"),
    ("continued value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n"),
    ("continued with a tab", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n\tb\r\nY: c\r\n\r\n"),
    (
        "an encoding hidden by a continuation",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n x\r\n\r\n0\r\n\r\n"
    ),
    ("a length hidden by a continuation", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n x\r\nY: z\r\n\r\n{}"),
    ("bare LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n"),
    ("bare LF after a header", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n"),
    ("bare LF after the last header", "GET / HTTP/1.1\r\nHost: a\r\nX: b\n\r\n"),
    ("bare LF for the empty line", "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\n"),
    ("NUL in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n"),
    ("NUL in the last value", "GET / HTTP/1.1\r\nX: a\r\nHost: a\0b\r\n\r\n"),
    ("NUL in the request line", "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("name with a slash", "GET / HTTP/1.1\r\nHost: a\r\nX/Y: a\r\n\r\n"),
    ("no name", "GET / HTTP/1.1\r\nHost: a\r\n: a\r\n\r\n"),
    ("space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("two spaces in the request line", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("target without a slash", "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("fragment in the target", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("letters beyond ASCII in the target", "GET /é HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("no version", "GET /\r\nHost: a\r\n\r\n"),
    ("space after the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
    ("method that is no token", "GE(T / HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("length with a sign", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\n{}"),
    ("negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -2\r\n\r\n{}"),
    ("list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2, 2\r\n\r\n{}"),
    ("length with a letter", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2x\r\n\r\n{}"),
    ("hexadecimal length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x2\r\n\r\n{}"),
    ("empty length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n{}"),
    ("length of 20 digits", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 00000000000000000002\r\n\r\n{}"),
    ("length beyond 64 bits", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551618\r\n\r\n{}"),
    ("length of 26 digits", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999999\r\n\r\n{}"),
    ("line without a colon", "GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n"),
]

/// Lines that the library refuses in its own words before it has read the head: once, and closing.
private let refusedByTheLibrary: Set = ["no version", "space after the version", "line without a colon"]

@Suite struct FramingTests {
    @Test(arguments: doubtful.map(\.name))
    func `a request whose end is in doubt is refused and nothing after it runs`(name: String) async throws {
        let head = try #require(doubtful.first { $0.name == name }?.head)
        try await withServer { running in
            let answer = await exchange(running.port, head + smuggled)
            #expect(answer.end == .closed)
            #expect(answer.statusLines == ["HTTP/1.1 400 Bad Request"])
            if !refusedByTheLibrary.contains(name) { #expect(answer.text.hasSuffix("badFraming")) }
            #expect(running.seen.all.isEmpty)
        }
    }

    @Test func `what the guard refuses is answered once, in our words`() async throws {
        try await withServer { running in
            let answer = await exchange(running.port, doubtful[0].head + smuggled)
            #expect(answer.statusLines == ["HTTP/1.1 400 Bad Request"])
            #expect(answer.text.contains("X-Fault: yes"))
            #expect(answer.text.hasSuffix("badFraming"))
            #expect(answer.text.contains("Connection: close"))
        }
    }

    @Test(arguments: ["HTTP/2.0", "HTTP/1.2", "HTTP/0.9"])
    func `another version is not served`(version: String) async throws {
        try await withServer { running in
            let answer = await exchange(running.port, "GET / \(version)\r\nHost: a\r\n\r\n" + smuggled)
            #expect(answer.statusLines == ["HTTP/1.1 505 HTTP Version Not Supported"])
            #expect(answer.end == .closed)
            #expect(running.seen.all.isEmpty)
        }
    }

    @Test(arguments: ["CONNECT", "FOO", "BREW", "get"])
    func `methods that make no sense here are not served`(method: String) async throws {
        try await withServer { running in
            let answer = await exchange(running.port, "\(method) / HTTP/1.1\r\nHost: a\r\n\r\n" + smuggled)
            #expect(answer.statusLines == ["HTTP/1.1 501 Not Implemented"])
            #expect(answer.end == .closed)
            #expect(running.seen.all.isEmpty)
        }
    }

    @Test func `unusual but sound requests are served`() async throws {
        let sound = [
            "GET /1 HTTP/1.1\r\nhOST:a\r\n\r\n",
            "GET /2 HTTP/1.1\r\nHost:  \t a  \t\r\nEmpty:\r\nX:y\r\n\r\n",
            "GET http://a/3?q HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /4 HTTP/1.1\r\nHost: a\r\ncontent-length: 0002\r\n\r\n{}",
            "POST /5 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\nTrailer: z\r\n\r\n",
            "\r\nPUT /6 HTTP/1.1\r\nHost: a\r\n\r\n",
            "DELETE /7?a=b&c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        ]
        try await withServer { running in
            let answer = await exchange(running.port, sound.joined())
            #expect(answer.end == .closed)
            #expect(running.seen.paths == ["/1", "/2", "/3", "/4", "/5", "/6", "/7"])
            #expect(running.seen.all.map(\.body.count) == [0, 0, 0, 2, 2, 0, 0])
            #expect(running.seen.all[1].headers.first("host") == "a")
            #expect(running.seen.all[1].headers.first("empty") == "")
            #expect(running.seen.all[2].query == "q")
            #expect(running.seen.all[6].query == "a=b&c")
        }
    }

    @Test func `HTTP 1 point 0 needs no host and closes`() async throws {
        try await withServer { running in
            let answer = await exchange(running.port, "GET / HTTP/1.0\r\n\r\n")
            #expect(answer.statusLines.count == 1)
            #expect(answer.end == .closed)
            #expect(running.seen.paths == ["/"])
        }
    }

    @Test func `path and query stay as they were sent`() async throws {
        try await withServer { running in
            _ = await exchange(
                running.port,
                "GET /v1/orders/a%2Fb%20c%00/x?y=%41+%&z&&=? HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            )
            #expect(running.seen.paths == ["/v1/orders/a%2Fb%20c%00/x"])
            #expect(running.seen.all.first?.query == "y=%41+%&z&&=?")
        }
    }

    @Test func `a request is the same wherever its bytes are split`() async throws {
        let request = "POST /a?b HTTP/1.1\r\nHost: a\r\nX: y\r\nContent-Length: 3\r\nConnection: close\r\n\r\nxyz"
        let bytes = Array(request.utf8)
        try await withServer { running in
            for split in 1..<bytes.count {
                let answer = await talk(running.port) { client in
                    client.send(Array(bytes[..<split]))
                    usleep(300)
                    client.send(Array(bytes[split...]))
                    return client.read()
                }
                #expect(answer.statusLines == ["HTTP/1.1 200 OK"], "split at \(split)")
            }
            #expect(running.seen.all.allSatisfy { $0.body == Array("xyz".utf8) && $0.headers.fields.count == 4 })
        }
    }
}
