import Testing

@testable import HTTPServer

@Suite struct RequestHeadTests {
    private func head(
        _ fields: [(String, String)] = [("Host", "a")],
        method: String = "POST",
        target: String = "/",
        version: String = "HTTP/1.1",
        size: Int = 100,
        whole: Bool = true
    ) -> RequestHead {
        RequestHead(
            method: method,
            target: target,
            version: version,
            fields: fields.map { HTTPField($0.0, $0.1) },
            size: size,
            linesAreWhole: whole
        )
    }

    private func verdict(_ head: RequestHead) -> Result<BodyLength, HTTPRefusal> {
        Result { () throws(HTTPRefusal) in try head.bodyLength(headerLimit: 8192, bodyLimit: 1000) }
    }

    @Test func `the length of a body is what its head says`() {
        #expect(verdict(head()) == .success(.exactly(0)))
        #expect(verdict(head([("Host", "a"), ("content-length", "1000")])) == .success(.exactly(1000)))
        #expect(verdict(head([("Host", "a"), ("TRANSFER-ENCODING", "CHUNKED")])) == .success(.chunked))
    }

    @Test func `limits have faults of their own`() {
        #expect(verdict(head(size: 8192)) == .success(.exactly(0)))
        #expect(verdict(head(size: 8193)) == .failure(HTTPRefusal(.headerTooLarge)))
        #expect(
            verdict(head([("Host", "a"), ("Content-Length", "1001")]))
                == .failure(HTTPRefusal(.bodyTooLarge(limit: 1000)))
        )
    }

    @Test(arguments: ["", "+1", "-1", "1x", "1,1", "1 1", "0x1", "1.0", "١", String(repeating: "9", count: 19)])
    func `a length is digits alone, and few`(text: String) {
        #expect(verdict(head([("Host", "a"), ("Content-Length", text)])) == .failure(HTTPRefusal(.badFraming)))
    }

    @Test func `lines that the library glued or cut are refused`() {
        #expect(verdict(head(whole: false)) == .failure(HTTPRefusal(.badFraming)))
    }

    @Test(arguments: ["", "a b", "a:", "ä", "a\0", "a("])
    func `a header name is a token`(name: String) {
        #expect(verdict(head([("Host", "a"), (name, "x")])) == .failure(HTTPRefusal(.badFraming)))
    }

    @Test(arguments: ["a\rb", "a\nb", "a\0b", "a\u{7F}b"])
    func `a header value holds no controls`(value: String) {
        #expect(verdict(head([("Host", "a"), ("X", value)])) == .failure(HTTPRefusal(.badFraming)))
    }

    @Test(arguments: [
        ("/", "/", nil), ("/a?b", "/a", "b"), ("/a?", "/a", ""), ("/a?b?c", "/a", "b?c"), ("*", "*", nil),
        ("http://h:1/a?b", "/a", "b"), ("http://h", "/", nil), ("HTTP://h?q", "/", "q"), ("/a//b", "/a//b", nil),
    ])
    func `path and query are cut out of the target and not decoded`(target: String, path: String, query: String?) {
        #expect(head(target: target).pathAndQuery == (path, query))
    }

    @Test func `header names are compared without regard to case`() {
        let headers = HTTPHeaders([HTTPField("X-A", "1"), HTTPField("x-a", "2"), HTTPField("X-AB", "3")])
        #expect(headers.first("x-A") == "1")
        #expect(headers.all("X-a") == ["1", "2"])
        #expect(headers.first("X") == nil)
    }
}
