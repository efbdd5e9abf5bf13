import API
import Crypto
import JSONText
import Testing

/// Structured, batch and binary mode are three spellings of one event.
@Suite struct EventModesTests {
    let bench = Bench()

    private func postBinary(_ headers: [(String, String)], body: [UInt8]) async throws -> Bench.Answer {
        try await bench.send("POST", "/v1/events", as: .ingest, headers: headers, body: body)
    }

    private let attributes = [
        ("ce-specversion", "1.0"), ("Ce-Id", "e-1"), ("CE-Source", "kitchen"), ("ce-type", "order.picked_up"),
        ("ce-subject", "o-1"), ("ce-time", "2026-11-30T11:59:00Z"),
    ]

    @Test func `one event is the same in all three modes`() async throws {
        #expect(try await bench.post(event()).status == 202)
        let other: JSON = event(["time": "2026-11-30T12:59:00.000+01:00", "sourcetype": "X", "dataschema": "urn:x"])
        #expect(try await bench.postBatch([other]).json["results"]?[0]?["status"] == 200)
        let data = Array(#"{ "eta":"2026-11-30T12:20:00Z", "customer":"\u0063-1" }"#.utf8)
        let binary = try await postBinary(attributes + [("Content-Type", "application/json")], body: data)
        #expect(binary.status == 200)
        #expect(bench.log.count == 1)
    }

    @Test func `the fingerprint is a digest of the documented form`() async throws {
        _ = try await bench.post(event(["time": nil, "data": ["b": .number("1.50"), "a": nil]]))
        let form = #"{"data":{"a":null,"b":1.50},"subject":"o-1","time":null,"type":"order.picked_up"}"#
        #expect(bench.log.first?.fingerprint == SHA256.digest(Array(form.utf8)))
    }

    @Test func `header values are percent-decoded once, and the old quoted form is read`() async throws {
        var headers = attributes
        headers[4] = ("ce-subject", "Euro%20%E2%82%AC%20%F0%9F%98%80")
        headers.append(("ce-sourcetype", #""say \"hi\" %25""#))
        #expect(try await postBinary(headers, body: []).status == 202)
        #expect(bench.log.first?.subject == "Euro \u{20AC} \u{1F600}")
        #expect(bench.log.first.map { String(decoding: $0.body, as: UTF8.self) } == #"{"sourcetype":"say \"hi\" %"}"#)
    }

    @Test(arguments: [
        [("ce-subject", "%C0%AF")], [("ce-subject", "%ED%A0%80")], [("ce-subject", "%4")], [("ce-subject", "%zz")],
    ])
    func `header values that are not percent-encoded UTF-8 are refused`(extra: [(String, String)]) async throws {
        let headers = attributes.filter { $0.0 != "ce-subject" } + extra
        #expect(try await postBinary(headers, body: []).faults == ["/subject format"])
    }

    @Test func `a header given twice, NUL, and a content type of its own are refused`() async throws {
        #expect(try await postBinary(attributes + [("ce-id", "e-2")], body: []).faults == ["/id unsupported"])
        let own = attributes + [("ce-datacontenttype", "application/json")]
        #expect(try await postBinary(own, body: []).faults == ["/datacontenttype unsupported"])
        let nul = attributes.filter { $0.0 != "Ce-Id" } + [("ce-id", "a%00")]
        #expect(try await postBinary(nul, body: []).faults == ["/id nul"])
    }

    @Test func `data in binary mode is JSON under the same rules`() async throws {
        let json = attributes + [("Content-Type", "application/json")]
        #expect(try await postBinary(json, body: Array("{".utf8)).slug == "invalid-json")
        #expect(try await postBinary(json, body: Array("[1]".utf8)).faults == ["/data type"])
        #expect(
            try await postBinary(json, body: Array(#"{"eta":"\u0000"}"#.utf8)).faults == [
                "/data/eta format", "/data/eta nul",
            ]
        )
        #expect(try await postBinary(attributes, body: Array("{}".utf8)).slug == "unsupported-media-type")
        #expect(try await postBinary(Array(attributes.dropLast(2)), body: []).faults == ["/subject required"])
    }

    @Test(
        arguments: [
            nil, "application/json", "text/plain", "application/cloudevents+xml", "application/cloudevents-batch+avro",
            "application/cloudevents+json; charset=latin1", "multipart/form-data",
        ] as [String?]
    )
    func `other content types are not understood`(type: String?) async throws {
        let headers = type.map { [("Content-Type", $0)] } ?? []
        let answer = try await bench.send(
            "POST",
            "/v1/events",
            as: .ingest,
            headers: headers,
            body: event().serialized()
        )
        #expect(answer.status == 415)
        #expect(answer.slug == "unsupported-media-type")
    }

    @Test func `content types are compared without regard to case`() async throws {
        let headers = [("content-type", "Application/CloudEvents+JSON;charset=\"UTF-8\"")]
        let body = event().serialized()
        #expect(try await bench.send("POST", "/v1/events", as: .ingest, headers: headers, body: body).status == 202)
    }
}
