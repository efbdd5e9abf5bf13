import Testing

@testable import HTTP2

struct SessionTests {
    private let request = HTTP2ClientRequest(
        path: "/3/device/00ff",
        fields: [
            HTTP2Field("authorization", "bearer secret", isNeverIndexed: true),
            HTTP2Field("apns-priority", constant: "10"),
        ],
        body: [UInt8](repeating: 7, count: 300)
    )

    /// Everything a session has to send now.
    private func output(of session: Session) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try session.produce(into: &bytes, atLeast: .max)
        return bytes
    }

    private func give(_ bytes: some Collection<UInt8>, to session: Session) throws {
        try session.receive(Array(bytes), count: bytes.count)
    }

    private func requests(_ events: [SessionEvent]) -> [SessionStream] {
        events.compactMap {
            if case .request(let stream) = $0 { return stream }
            return nil
        }
    }

    private func closed(_ events: [SessionEvent]) -> [(stream: SessionStream, code: HTTP2ErrorCode)] {
        events.compactMap {
            if case .closed(let stream, let code) = $0 { return (stream, code) }
            return nil
        }
    }

    @Test(arguments: [false, true])
    func `a stream above the limit is noticed once the limit is acknowledged`(isAcknowledged: Bool) throws {
        let server = try Session(role: .server, settings: SessionSettings(maxConcurrentStreams: 1))
        _ = try output(of: server)
        // This client has not heard of the limit.
        let client = try Session(role: .client, settings: SessionSettings())
        let bare = HTTP2ClientRequest(path: "/")
        for _ in 0..<2 { _ = try client.submit(bare, authority: "example.com") }
        var bytes = try output(of: client)
        let firstStream = Frame.all(in: bytes).prefix { $0.type != Frame.headers }.reduce(24) {
            $0 + 9 + $1.payload.count
        }
        let acknowledgement = Frame(type: Frame.settings, flags: 1, stream: 0, payload: []).bytes
        if isAcknowledged { bytes.insert(contentsOf: acknowledgement, at: firstStream) }
        try give(bytes, to: server)
        let events = server.takeEvents()
        #expect(requests(events).map(\.id) == [1])
        let excess = events.count { if case .excessStream = $0 { true } else { false } }
        #expect(excess == (isAcknowledged ? 1 : 0))
    }

    @Test func `bytes split anywhere mean the same`() throws {
        let client = try Session(role: .client, settings: SessionSettings())
        _ = try client.submit(request, authority: "example.com")
        let asked = try output(of: client)

        let answering = try Session(role: .server, settings: SessionSettings())
        try give(asked, to: answering)
        try answering.submit(HTTP2Reply(status: 400, body: Array("{}".utf8)), to: 1)
        let answered = try output(of: answering)

        for cut in 0...asked.count {
            let server = try Session(role: .server, settings: SessionSettings())
            try give(asked[..<cut], to: server)
            try give(asked[cut...], to: server)
            let received = requests(server.takeEvents())
            #expect(received.map(\.body) == [request.body])
            #expect(received.first?.headers["authorization"] == "bearer secret")
            #expect(received.first?.headers[":path"] == "/3/device/00ff")
        }
        for cut in 0...answered.count {
            let client = try Session(role: .client, settings: SessionSettings())
            _ = try client.submit(request, authority: "example.com")
            _ = try output(of: client)
            try give(answered[..<cut], to: client)
            try give(answered[cut...], to: client)
            let ended = closed(client.takeEvents())
            #expect(ended.map(\.stream.headers.status) == [400])
            #expect(ended.map(\.stream.body) == [Array("{}".utf8)])
        }
    }

    @Test func `an interim response gives way to the real one, which trailers join`() throws {
        let client = try Session(role: .client, settings: SessionSettings())
        _ = try client.submit(request, authority: "example.com")
        _ = try output(of: client)
        // RFC 7541, 6.2.2: a literal that is not indexed, under the name 8 of the table or under a new one.
        let interim = [0x08, 3] + Array("103".utf8)
        let trailers = [0x00, 1] + Array("a".utf8) + [1] + Array("b".utf8)
        let end = Frame.endStreamFlag | Frame.endHeadersFlag
        let answer = [
            Frame(type: Frame.settings, flags: 0, stream: 0, payload: []),
            Frame(type: Frame.headers, flags: Frame.endHeadersFlag, stream: 1, payload: interim),
            Frame(type: Frame.headers, flags: Frame.endHeadersFlag, stream: 1, payload: [0x88]),
            Frame(type: Frame.data, flags: 0, stream: 1, payload: [7]),
            Frame(type: Frame.headers, flags: end, stream: 1, payload: trailers),
        ]
        try give(answer.flatMap(\.bytes), to: client)
        let stream = closed(client.takeEvents()).first?.stream
        #expect(stream?.headers.fields.map { "\($0.name) \($0.value)" } == [":status 200", "a b"])
        #expect(stream?.hasReceivedAll == true)
    }

    @Test func `rule 14: path and authorization are never indexed`() throws {
        let client = try Session(role: .client, settings: SessionSettings())
        for _ in 0..<3 { _ = try client.submit(request, authority: "example.com") }
        let blocks = Frame.all(in: try output(of: client)).filter { $0.type == Frame.headers }.map(\.payload)
        #expect(blocks.count == 3)
        for block in blocks {
            // RFC 7541, 6.2.3: 0001 and the name's index; :path is 4, authorization 23.
            #expect(block.contains(0x14))
            #expect(block.indices.dropLast().contains { block[$0] == 0x1f && block[$0 + 1] == 0x08 })
        }
        // What may be indexed is: the second block is shorter than the first, and the third like the second.
        #expect(blocks[1].count < blocks[0].count)
        #expect(blocks[2] == blocks[1])
    }

    @Test func `rule 14: a client sends no priority`() throws {
        let client = try Session(role: .client, settings: SessionSettings())
        for _ in 0..<10 { _ = try client.submit(request, authority: "example.com") }
        client.reset(3, .cancel)
        client.ping()
        let frames = Frame.all(in: try output(of: client))
        #expect(frames.count > 10)
        #expect(!frames.contains { $0.type == Frame.priority })
        #expect(!frames.contains { $0.type == Frame.headers && $0.flags & Frame.priorityFlag != 0 })
    }

    @Test func `a body over the limit ends its stream`() throws {
        var settings = SessionSettings()
        settings.maxBodyBytes = 299
        let server = try Session(role: .server, settings: settings)
        let client = try Session(role: .client, settings: SessionSettings())
        _ = try client.submit(request, authority: "example.com")
        try give(try output(of: client), to: server)
        try give(try output(of: server), to: client)
        #expect(closed(client.takeEvents()).map(\.code) == [.enhanceYourCalm])
    }

    /// A request with one more field, `x`, of so many bytes (RFC 7541: indexed fields, literals without indexing).
    private func headers(stream: Int, valueOf count: Int) -> Frame {
        let value = [UInt8](repeating: UInt8(ascii: "v"), count: count)
        let block = [0x83, 0x87, 0x84, 0x01, 1, UInt8(ascii: "a"), 0x00, 1, UInt8(ascii: "x"), UInt8(count)] + value
        let flags = Frame.endStreamFlag | Frame.endHeadersFlag
        return Frame(type: Frame.headers, flags: flags, stream: stream, payload: block)
    }

    private func oversized(_ events: [SessionEvent]) -> [Int32] {
        events.compactMap {
            if case .oversized(let stream) = $0 { return stream.id }
            return nil
        }
    }

    @Test func `fields that are larger than announced are oversized, and the session goes on`() throws {
        let client = try Session(role: .client, settings: SessionSettings())
        // :method POST, :scheme https, :path / and :authority a are 43, 44, 38 and 43 bytes, x is 33 and its value.
        let server = try Session(role: .server, settings: SessionSettings(maxHeaderListSize: 201 + 100))
        try give(try output(of: client), to: server)
        try give(headers(stream: 1, valueOf: 101).bytes, to: server)
        #expect(oversized(server.takeEvents()) == [1])
        try give(headers(stream: 3, valueOf: 100).bytes, to: server)
        #expect(requests(server.takeEvents()).map(\.headers.listSize) == [301])
        try server.change(SessionSettings(maxHeaderListSize: 301 + 1))
        try give(try output(of: server), to: client)
        try give(headers(stream: 5, valueOf: 101).bytes, to: server)
        #expect(oversized(server.takeEvents()) == [5])
        try give(try output(of: client), to: server)
        try give(headers(stream: 7, valueOf: 101).bytes, to: server)
        #expect(requests(server.takeEvents()).map(\.headers.listSize) == [302])
    }

    @Test func `a client sends no fields that are larger than the server takes, and goes on`() throws {
        let client = try Session(role: .client, settings: SessionSettings())
        let stream = try client.submit(request, authority: "example.com")
        let server = try Session(role: .server, settings: SessionSettings())
        try give(try output(of: client), to: server)
        let size = try #require(requests(server.takeEvents()).first).headers.listSize
        for (limit, isSent) in [(size - 1, false), (size, true)] {
            try server.change(SessionSettings(maxHeaderListSize: limit))
            try give(try output(of: server), to: client)
            let sent = Result { try client.submit(request, authority: "example.com") }
            #expect((try? sent.get().id) == (isSent ? stream.id + 2 : nil))
            if case .failure(let error) = sent { #expect(hasCode(error, .fieldsTooLarge)) }
        }
    }

    @Test func `a lower limit of streams is seen as soon as it is announced`() throws {
        var settings = SessionSettings()
        settings.maxConcurrentStreams = 500
        let server = try Session(role: .server, settings: settings)
        let client = try Session(role: .client, settings: SessionSettings())
        try give(try output(of: client), to: server)
        var limits: [Int] = []
        for next in [1, 0, 1000] {
            try give(try output(of: server), to: client)
            limits.append(client.peerMaxConcurrentStreams)
            try server.change(SessionSettings(maxConcurrentStreams: next))
        }
        #expect(limits == [500, 1, 0])
    }

    @Test func `bytes that are no HTTP 2 are an error, whatever they are`() throws {
        for text in ["GET / HTTP/1.1\r\nHost: example.com\r\n\r\n", String(repeating: "x", count: 64)] {
            let server = try Session(role: .server, settings: SessionSettings())
            #expect(throws: HTTP2Error.self) { try give(Array(text.utf8), to: server) }
        }
    }

    @Test func `a stream is forgotten when it closes`() throws {
        // P22
        let server = try Session(role: .server, settings: SessionSettings())
        let client = try Session(role: .client, settings: SessionSettings())
        for _ in 0..<100 {
            _ = try client.submit(request, authority: "example.com")
            try give(try output(of: client), to: server)
            for stream in requests(server.takeEvents()) { try server.submit(HTTP2Reply(status: 200), to: stream.id) }
            try give(try output(of: server), to: client)
            #expect(closed(client.takeEvents()).count == 1)
        }
        #expect(client.streams.isEmpty)
        #expect(server.streams.isEmpty)
    }
}
