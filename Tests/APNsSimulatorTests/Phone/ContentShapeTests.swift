import JSONText
import Testing

@testable import APNsSimulator

/// The rules of a default `JSONDecoder` (contract 3.6).
@Suite struct ContentShapeTests {
    private let shape = ContentShape([
        .init("word", .words(["yes", "no"])),
        .init("count", .integer),
        .init("date", .number),
        .init("flag", .boolean),
        .init("name", .string, isOptional: true),
        .init("parts", .list(.integer), isOptional: true),
        .init("courier", .object(ContentShape([.init("name", .string)])), isOptional: true),
    ])

    private func fault(_ change: [String: JSON?]) -> String? {
        var object: JSONObject = ["word": "yes", "count": 1, "date": 780_000_000.5, "flag": true]
        for (name, value) in change { object[name] = value }
        return shape.fault(in: .object(object))
    }

    @Test(
        arguments: [
            [:], ["extra": 1], ["name": .null], ["count": .number("5.0")], ["parts": [1, 2]],
            ["courier": ["name": "Ada"]],
        ] as [[String: JSON?]]
    )
    func `what decodes`(change: [String: JSON?]) {
        #expect(fault(change) == nil)
    }

    @Test(
        arguments: [
            (["word": "maybe"], "word: unknown word"),
            (["count": 1.5], "count: not an integer"),
            (["count": "1"], "count: not an integer"),
            (["count": nil], "count: missing"),
            (["count": .null], "count: missing"),
            (["date": "2026-11-29T12:00:00Z"], "date: not a number"),
            (["flag": 1], "flag: not a boolean"),
            (["parts": [1, "2"]], "parts: not an integer"),
            (["courier": ["Name": "Ada"]], "courier: name: missing"),
        ] as [([String: JSON?], String)]
    )
    func `what does not`(change: [String: JSON?], expected: String) {
        #expect(fault(change) == expected)
    }
}
