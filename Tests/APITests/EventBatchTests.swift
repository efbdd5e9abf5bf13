import API
import HTTPServer
import JSONText
import Runtime
import Testing

@Suite struct EventBatchTests {
    let bench = Bench()

    @Test func `an empty batch is nothing to do`() async throws {
        let answer = try await bench.postBatch([])
        #expect(answer.status == 200)
        #expect(answer.json == ["results": []])
    }

    @Test func `a batch of new events and duplicates is accepted`() async throws {
        let answer = try await bench.postBatch([event(), event(), event(["id": "e-2"])])
        #expect(answer.status == 202)
        let results = try #require(answer.json["results"]?.arrayValue)
        #expect(results.map { $0["status"] } == [202, 200, 202])
        #expect(results.map { $0["index"] } == [0, 1, 2])
        #expect(
            results[1]
                == [
                    "index": 1, "id": "e-1", "status": 200, "app": "demo", "source": "kitchen", "subject": "o-1",
                    "lane": 0, "pos": 1, "version": 1, "duplicate": true,
                ]
        )
    }

    @Test func `good items are kept beside bad ones, each with its own problem`() async throws {
        let big = event(["id": "big", "padding": .string(String(repeating: "p", count: 70_000))])
        let answer = try await bench.postBatch([
            event(), event(["id": "e-2", "subject": nil]), 5, event(["id": "e-3", "source": "elsewhere"]), big,
            event(["id": "e-4", "time": "2027-01-01T00:00:00Z"]), event(["type": "order.delivered"]),
            event(["id": "e-5", "data": ["x": "\u{0}"]]), event(["id": "e-6"]),
        ])
        #expect(answer.status == 207)
        let results = try #require(answer.json["results"]?.arrayValue)
        #expect(results.map { $0["status"] } == [202, 422, 422, 403, 413, 422, 409, 422, 202])
        #expect(results.map { $0["id"]?.stringValue } == ["e-1", "e-2", nil, "e-3", "big", "e-4", "e-1", "e-5", "e-6"])
        #expect(results[1]["problem"]?["errors"]?[0]?["pointer"] == "/subject")
        #expect(results[3]["problem"]?["type"] == "urn:doorstep:problem:forbidden")
        #expect(results[4]["problem"]?["limit"] == 65_536)
        #expect(results[5]["problem"]?["type"] == "urn:doorstep:problem:time-too-far-ahead")
        #expect(results[6]["problem"]?["type"] == "urn:doorstep:problem:event-id-reused")
        #expect(results[7]["problem"]?["errors"]?[0]?["rule"] == "nul")
        #expect(bench.log.map(\.id) == ["e-1", "e-6"])
    }

    @Test(arguments: ["", "{}", "[", "[{},]", "[{\"a\":1,\"a\":1}]", "[{}] x", "5"])
    func `what cannot be read as a whole is refused as a whole`(text: String) async throws {
        let answer = try await bench.postBatch(bytes: Array(text.utf8))
        #expect(answer.status == 400)
        #expect(answer.slug == "invalid-json")
    }

    @Test func `a batch has at most 1,000 events`() async throws {
        let events = (0..<1_001).map { event(["id": .string("e-\($0)")]) }
        let answer = try await bench.postBatch(events)
        #expect(answer.status == 413)
        #expect(answer.json["limit"] == 1_000)
        #expect(bench.log.isEmpty)
        #expect(try await bench.postBatch(Array(events.dropLast())).status == 202)
    }

    // D29
    @Test func `a batch has at most 4 MiB`() async throws {
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: 4 * 1_024 * 1_024 - 1)
        #expect(try await bench.postBatch(bytes: Array("[]".utf8) + padding).slug == "too-large")
        #expect(try await bench.postBatch(bytes: Array("[]".utf8) + padding.dropLast()).status == 200)
    }

    @Test func `items refused for lack of room ask to come back`() async throws {
        bench.service.state.withLock { $0.outcome = .unavailable(Unavailable(.overloaded, retryAfterSeconds: 7)) }
        let answer = try await bench.postBatch([event()])
        #expect(answer.status == 207)
        #expect(answer.headers.first("retry-after") == "7")
        #expect(answer.json["results"]?[0]?["problem"]?["type"] == "urn:doorstep:problem:overloaded")
    }

    @Test func `an item may be as deep as an event of its own`() async throws {
        func nested(_ depth: Int) -> JSON { depth == 0 ? 1 : [nested(depth - 1)] }
        #expect(try await bench.postBatch([event(["data": ["x": nested(62)]])]).status == 202)
        #expect(try await bench.postBatch([event(["data": ["x": nested(63)]])]).status == 400)
    }
}
