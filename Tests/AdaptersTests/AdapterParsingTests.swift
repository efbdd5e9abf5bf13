import Adapters
import JSONText
import Testing

/// Adapter files: what they may hold, and that everything wrong is told at once.
struct AdapterParsingTests {
    private let smallest: JSON = [
        "adapter": "doorstep.adapter.v1", "name": "own", "signature": ["scheme": "none"],
        "id": "{id}", "subject": "{order}", "type": "{event}",
    ]

    private func problems(_ json: JSON) -> [String: String] {
        do throws(AdapterError) {
            _ = try Adapter(json.serialized())
            return [:]
        } catch {
            #expect(error.code == .badAdapter)
            return Dictionary(error.problems.map { ($0.pointer, $0.detail) }) { first, _ in first }
        }
    }

    @Test func `the smallest adapter keeps every word`() throws {
        let adapter = try Adapter(smallest.serialized())
        #expect(!adapter.needsSecret)
        let request = HookRequest(
            method: "POST",
            url: "/",
            headers: [],
            body: Array(#"{"id": 7, "order": "a", "event": "picked up"}"#.utf8)
        )
        #expect(adapter.isAuthentic(request, secrets: []))
        let events = try adapter.events(from: request, source: "own")
        let expected: JSON = [
            "specversion": "1.0", "id": "7", "source": "own", "type": "picked up", "subject": "a",
            "sourcetype": "picked up",
        ]
        #expect(events.map { JSON.object($0) } == [expected])
    }

    @Test func `the built-in ones are there under their names, and differ`() throws {
        #expect(Adapter.builtIn.map(\.name) == Hooks.platforms)
        #expect(Adapter.builtIn.allSatisfy { $0.needsSecret })
    }

    @Test func `everything wrong is told at once, with its place`() throws {
        let adapter: JSON = [
            "adapter": "doorstep.adapter.v2", "name": "Own Adapter", "colour": "red",
            "signature": [
                "scheme": "hmac", "header": "x y", "algorithm": "md5", "encoding": "hex", "message": ["url", "bodies"],
            ],
            "handshake": ["query": ""],
            "id": "{order}{event}", "type": "{event", "time": ["value": "{at}", "unit": "hours"],
            "types": ["a/b": "order.eaten", "c": ["type": "order.placed", "when": ["x": ["is": 1]]]],
            "otherwise": "panic", "voids": ["a/b": "{id}"],
            "data": [
                "address": "{a}", "courier.phone": "{p}", "eta": ["value": "{e}", "unit": "days"],
                "reason": ["value": "{r}", "unit": "rfc3339", "from": ["z"]], "progress": ["literal": 2],
                "by": ["literal": "aliens"], "displayNumber": [:], "customer": "{.id}", "batch": 3,
            ],
        ]
        let problems = problems(adapter)
        #expect(
            Set(problems.keys) == [
                "/adapter", "/name", "/colour", "/signature/header", "/signature/algorithm", "/signature/message",
                "/handshake/query", "/id", "/subject", "/type", "/time/unit", "/types/a~1b", "/types/c/when/x",
                "/otherwise", "/voids/a~1b", "/data/address", "/data/courier.phone", "/data/eta/unit",
                "/data/reason/unit", "/data/reason/from", "/data/progress/literal", "/data/by/literal",
                "/data/displayNumber", "/data/customer", "/data/batch",
            ]
        )
        #expect(problems["/types/a~1b"] == "`order.eaten` is none of Doorstep's types")
    }

    @Test(arguments: ["", "[]", "null", "{", "\u{FEFF}{}", #"{"name":"a","name":"b"}"#])
    func `what is no object is no adapter`(text: String) {
        #expect(throws: AdapterError.self) { try Adapter(Array(text.utf8)) }
    }

    @Test(arguments: [
        "a..b", "...a", "a[", "a[]", "a[*]", "a[-1]", "a[b", "a]", "a[b=]", "a[=c]", "a[b=c=d]", "", "|a", "a|", "'",
        "''",
        "a#b", "$.a", "#", ".$",
    ])
    func `a path that is none is told`(path: String) {
        #expect(problems(smallest.with(.string("{\(path)}"), at: "subject")).keys.contains("/subject"))
    }

    @Test func `rules share what they do not say themselves, and what is wrong with it is told once`() throws {
        let adapter = smallest.with(
            [
                ["when": ["event": "x"], "id": "{id}/x"], ["each": "items[*]", "id": "{id}/{.n}"],
                ["each": "items", "a": 1],
            ],
            at: "events"
        ).with("{subject", at: "subject")
        #expect(Set(problems(adapter).keys) == ["/subject", "/events/2/each", "/events/2/a"])
        #expect(problems(smallest.with([], at: "events")).keys.contains("/events"))
    }

    @Test func `a retraction says what it retracts`() {
        let voiding = smallest.with(["gone": "event.voided"], at: "types")
        #expect(Set(problems(voiding).keys) == ["/voids/gone"])
        #expect(problems(voiding.with(["gone": "{id}"], at: "voids")).isEmpty)
        #expect(Set(problems(voiding.with(["gone": "fixed"], at: "voids")).keys) == ["/voids/gone"])
    }

    @Test func `more than eight references are refused`() {
        var data = JSONObject()
        for number in 0..<9 { data["references.r\(number)"] = "{id}" }
        #expect(Set(problems(smallest.with(.object(data), at: "data")).keys) == ["/data"])
    }

    @Test func `the schema knows every member`() throws {
        let schema = try JSON.parse(Array(try Repository.text("docs/schemas/adapter.schema.json").utf8))
        #expect(schema["properties"]?["adapter"]?["const"] == "doorstep.adapter.v1")
        let members = Set(schema["properties"]?.objectValue?.members.map(\.name) ?? [])
        for name in ["name", "signature", "handshake", "events", "each", "when", "id", "data", "voids", "colour"] {
            #expect(
                members.contains(name) != problems(smallest.with(1, at: name)).values.contains("means nothing here")
            )
        }
    }

    @Test func `the example of the documentation is fine`() throws {
        let page = try Repository.text("docs/adapters.md")
        let example = try #require(page.split(separator: "```json\n").last?.split(separator: "\n```").first)
        let adapter = try Adapter(Array(example.utf8))
        let body = #"{"order": {"id": 1}, "event": "moving", "leg": "pickup", "at": 1795298400000, "eta": 0}"#
        let request = HookRequest(method: "POST", url: "/", headers: [], body: Array(body.utf8))
        let events = try adapter.events(from: request, source: "acme")
        #expect(events.map { $0.text("type") } == ["courier.to_pickup"])
        #expect(events.first?.text("id") == "1/moving/1795298400000")
    }

    @Test func `the documentation lists the built-in ones`() throws {
        let page = try Repository.text("docs/adapters.md")
        for adapter in Adapter.builtIn { #expect(page.contains("\n| `\(adapter.name)` | ")) }
    }
}
