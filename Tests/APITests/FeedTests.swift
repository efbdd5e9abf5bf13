import API
import JSONText
import Runtime
import Testing

@Suite struct FeedTests {
    private let bench = Bench()

    private func item(_ pos: Int64, type: String = "order.ready") -> FeedItem {
        FeedItem(
            lane: 3,
            pos: pos,
            id: "e-\(pos)",
            source: "kitchen",
            type: type,
            subject: "o-1",
            occurredAt: nil,
            recordedAt: Bench.now,
            traceParent: "00-1-2-01",
            kept: ["data": ["eta": .null], "sourcetype": "READY"]
        )
    }

    private func tell(_ items: [FeedItem]) { bench.service.state.withLock { $0.feed = items } }

    @Test func `pages follow each other, and there is always a next`() async throws {
        tell([item(1), item(2), item(3)])
        let first = try await bench.send("GET", "/v1/feed?limit=2", as: .feed)
        #expect(first.json["items"]?.arrayValue?.map { $0["id"]?.stringValue } == ["e-1", "e-2"])
        let next = try #require(first.json["next"]?.stringValue)
        let second = try await bench.send("GET", "/v1/feed?after=\(next)&wait=30", as: .feed)
        #expect(second.json["items"]?.arrayValue?.count == 1)
        let last = try #require(second.json["next"]?.stringValue)
        let third = try await bench.send("GET", "/v1/feed?after=\(last)", as: .feed)
        #expect(third.json["items"] == [])
        #expect(third.json["next"]?.stringValue == last)
        #expect(bench.service.state.withLock { $0.feedWaits } == [.zero, .seconds(30), .zero])
    }

    @Test func `an item is a CloudEvent`() async throws {
        tell([item(7)])
        let answer = try await bench.send("GET", "/v1/feed", as: .feed)
        let expected: JSON = [
            "specversion": "1.0", "id": "e-7", "source": "kitchen", "type": "order.ready", "subject": "o-1",
            "time": "2026-11-30T12:00:00Z", "recordedtime": "2026-11-30T12:00:00Z",
            "sequence": "00003-0000000000000000007", "sourcetype": "READY", "traceparent": "00-1-2-01",
            "data": ["eta": .null],
        ]
        #expect(answer.json["items"]?.arrayValue?.first?.canonical() == expected.canonical())
    }

    @Test(arguments: ["after=x", "after=AQE", "after=AQc", "after=AQcB", "after=AQcBgA", "after=AQcBgAA"])
    func `what is no cursor is named`(query: String) async throws {
        let answer = try await bench.send("GET", "/v1/feed?\(query)", as: .feed)
        #expect(answer.status == 422)
        #expect(answer.faults == ["query:after format"])
    }

    @Test func `a place that is lost is told`() async throws {
        // Version 1, list 7, epoch 9, one lane at 1.
        let answer = try await bench.send("GET", "/v1/feed?after=AQcJAQ", as: .feed)
        #expect(answer.status == 410)
        #expect(answer.slug == "cursor-lost")
    }

    @Test func `a stream has a message for each event, and its place behind them`() async throws {
        tell([item(1), item(2, type: "odd\ntype")])
        let text = try await bench.text("/v1/feed", accept: "text/event-stream", as: .feed)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "retry: 2000")
        #expect(lines.filter { $0.hasPrefix("event: ") } == ["event: order.ready"])
        let data = try lines.filter { $0.hasPrefix("data: ") }.map { try JSON.parse(Array($0.dropFirst(6).utf8)) }
        #expect(data.map { $0["id"] } == ["e-1", "e-2"])
        #expect(data.last?["type"] == "odd\ntype")
        let messages = text.components("\n\n")
        #expect(messages.map { $0.contains("\nid: ") } == [false, true, true, true, false])
        #expect(messages[2].hasPrefix(":\n"))
    }

    @Test func `a stream goes on from the last id`() async throws {
        tell([item(1), item(2)])
        let first = try await bench.send("GET", "/v1/feed?limit=1", as: .feed)
        let next = try #require(first.json["next"]?.stringValue)
        let last = [("Last-Event-ID", next)]
        let text = try await bench.text("/v1/feed?after=x", accept: "text/event-stream", as: .feed, headers: last)
        #expect(!text.contains(#""id":"e-1""#))
        #expect(text.contains(#""id":"e-2""#))
    }

    @Test(arguments: 1...20)
    func `a cursor comes back as it went out, and no other bytes are it`(seed: Int64) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
        func number() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 1
        }
        for _ in 0..<100 {
            let positions = (0...number() % 70).map { _ in Int64(number() >> (number() % 63)) }
            let cursor = FeedCursor(epoch: Int32(number() % 300), positions: positions + [.max, 0])
            let bytes = cursor.bytes
            #expect(FeedCursor(bytes) == cursor)
            #expect(FeedCursor(Array(bytes.dropLast()) + [0x80]) == nil)
            #expect(FeedCursor(Array(bytes.dropLast()) + [0x80, 0]) == nil)
            var changed = bytes
            changed[Int(number() % UInt64(bytes.count))] ^= UInt8(1 + number() % 255)
            if let other = FeedCursor(changed) {
                #expect(other != cursor)
                #expect(other.bytes == changed)
            }
        }
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        var (parts, rest): ([String], Substring) = ([], self[...])
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
