import JSONText
import Testing

@Suite struct JSONWritingTests {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `literals build a response that reads like its text`() {
        let value: JSON = ["id": "o-1", "pos": 42, "late": false, "eta": nil, "tags": ["a", 1.5], "empty": [:]]
        #expect(
            Self.text(value.serialized())
                == #"{"id":"o-1","pos":42,"late":false,"eta":null,"tags":["a",1.5],"empty":{}}"#
        )
        #expect(value.description == Self.text(value.serialized()))
    }

    @Test func `the canonical form sorts names by bytes and keeps numbers as written`() throws {
        let value = try JSON.parse(
            Array("{ \"b\": 1.50, \"a\": [ { \"z\": 1E3, \"\u{E9}\": \"\\u00e9\\/\", \"Z\": null } ], \"\": {} }".utf8)
        )
        #expect(
            Self.text(value.canonical())
                == "{\"\":{},\"a\":[{\"Z\":null,\"z\":1E3,\"\u{E9}\":\"\u{E9}/\"}],\"b\":1.50}"
        )
    }

    @Test func `only what must be escaped is escaped`() {
        #expect(
            Self.text(JSON.string("\"\\/\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}\u{2028}\u{1F600}").serialized())
                == "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\u{7F}\u{2028}\u{1F600}\""
        )
    }

    @Test func `a float without a JSON spelling is null`() {
        #expect(JSON.double(.infinity).isNull)
        #expect(JSON.double(.nan).isNull)
        #expect(JSON.double(0.25) == 0.25)
    }

    @Test func `equality ignores the order of members and respects spelling`() {
        #expect(JSON.object(["a": 1, "b": 2]) == ["b": 2, "a": 1])
        #expect(JSON.number("1.0") != 1)
        #expect(Set<JSON>([["a": 1, "b": 2], ["b": 2, "a": 1]]).count == 1)
        #expect(JSONObject(dictionaryLiteral: ("a", 1)) == ["a": 1])
    }

    @Test func `members are set, replaced and removed by name`() {
        var object: JSONObject = ["a": 1]
        object["b"] = 2
        object["a"] = 3
        #expect(JSON.object(object).description == #"{"a":3,"b":2}"#)
        object["a"] = nil
        object["x"] = nil
        #expect(object == ["b": 2])
    }

    @Test func `the writer places commas`() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("a")
        writer.beginArray()
        writer.integer(1)
        writer.bool(true)
        writer.null()
        writer.beginObject()
        writer.endObject()
        writer.endArray()
        writer.name("b")
        writer.raw(Array("[1]".utf8))
        writer.name("c")
        writer.value(["y": 1, "x": "q"], sorted: true)
        writer.name("d")
        writer.number("1.50")
        writer.endObject()
        #expect(Self.text(writer.bytes) == #"{"a":[1,true,null,{}],"b":[1],"c":{"x":"q","y":1},"d":1.50}"#)
    }

    @Test func `accessors give nil for another kind`() {
        let value: JSON = ["n": 1.5]
        #expect(value.stringValue == nil)
        #expect(value.arrayValue == nil)
        #expect(value.boolValue == nil)
        #expect(value["n"]?.int64Value == nil)
        #expect(value["n"]?["x"] == nil)
        #expect(value[0] == nil)
        #expect(JSON.array([1])[1] == nil)
        #expect(JSON.array([1]).objectValue == nil)
        #expect(JSON.optional(nil).isNull)
        #expect(JSON.null.doubleValue == nil)
    }
}
