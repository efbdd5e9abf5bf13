import JSONText
import Testing

/// What the strict reader takes and what it refuses, case by case.
@Suite struct JSONParsingTests {
    private static func code(_ text: String) -> JSONError.Code? { code(Array(text.utf8)) }

    private static func code(_ bytes: [UInt8]) -> JSONError.Code? {
        do throws(JSONError) {
            _ = try JSON.parse(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `values keep what was written`() throws {
        let value = try JSON.parse(
            Array(#" {"a" : [1, -2.50, 1E3, true, false, null], "b":{"c":"x"}, "n": 9007199254740993 } "#.utf8)
        )
        #expect(value["a"]?[1] == .number("-2.50"))
        #expect(value["a"]?[2]?.doubleValue == 1_000)
        #expect(value["a"]?[3]?.boolValue == true)
        #expect(value["a"]?[5]?.isNull == true)
        #expect(value["b"]?["c"]?.stringValue == "x")
        #expect(value["n"]?.int64Value == 9_007_199_254_740_993)
        #expect(value.objectValue?.members.map(\.name) == ["a", "b", "n"])
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC""#, "A\u{E9}\u{20AC}"),
        (#""\ud83d\ude00 \uD83D\uDE00""#, "\u{1F600} \u{1F600}"),
        (#""\ufffe""#, "\u{FFFE}"),
        ("\"\u{7F} \u{2028} \u{1F600}\"", "\u{7F} \u{2028} \u{1F600}"),
        (#""""#, ""),
    ])
    func `escapes are read`(text: String, expected: String) throws {
        #expect(try JSON.parse(Array(text.utf8)) == .string(expected))
    }

    @Test(
        arguments: [
            ("", .unexpectedEnd), ("  ", .unexpectedEnd), ("{", .unexpectedEnd), ("[1", .unexpectedEnd),
            (#"{"a""#, .unexpectedEnd), (#"{"a":"#, .unexpectedEnd), (#""abc"#, .unexpectedEnd),
            ("tru", .unexpectedEnd),
            (#""a\"#, .unexpectedEnd), (#""\u00"#, .unexpectedEnd), ("-", .unexpectedEnd), ("1.", .unexpectedEnd),
            ("1e", .unexpectedEnd), ("1e+", .unexpectedEnd),
            ("[1,]", .unexpectedByte), (#"{"a":1,}"#, .unexpectedByte), ("[,1]", .unexpectedByte),
            ("[1 2]", .unexpectedByte), (#"{"a" 1}"#, .unexpectedByte), ("{1:2}", .unexpectedByte),
            ("{a:1}", .unexpectedByte), ("'a'", .unexpectedByte), ("True", .unexpectedByte), ("NaN", .unexpectedByte),
            ("Infinity", .unexpectedByte), ("[trux]", .unexpectedByte), ("nul1", .unexpectedByte),
            ("+1", .unexpectedByte),
            (".5", .unexpectedByte), ("// c\n1", .unexpectedByte), ("\u{FEFF}1", .unexpectedByte),
            ("\u{A0}1", .unexpectedByte), ("\u{C}1", .unexpectedByte), ("[1}", .unexpectedByte),
            ("{]", .unexpectedByte),
            ("1 2", .trailingBytes), ("{} x", .trailingBytes), ("{}{}", .trailingBytes), ("null,", .trailingBytes),
            ("1\u{0}", .trailingBytes),
            ("01", .malformedNumber), ("-01", .malformedNumber), ("[1.]", .malformedNumber), ("1.e1", .malformedNumber),
            ("1.2.3", .malformedNumber), ("[-]", .malformedNumber), ("-a", .malformedNumber),
            ("1e5e", .malformedNumber),
            ("1-2", .malformedNumber), ("[1e]", .malformedNumber), ("00", .malformedNumber),
            ("1e400", .numberOutOfRange), ("-1e400", .numberOutOfRange), ("1e-400", .numberOutOfRange),
            ("1e99999999999999999999", .numberOutOfRange),
            (#""\x""#, .malformedEscape), (#""\u12g4""#, .malformedEscape), (#""\U0041""#, .malformedEscape),
            (#""\ud800""#, .loneSurrogate), (#""\udc00""#, .loneSurrogate), (#""\ud800\u0041""#, .loneSurrogate),
            (#""\ud800x\udc00""#, .loneSurrogate), (#""\udc00\ud800""#, .loneSurrogate),
            (#"{"data":{"x":"\udc00"}}"#, .loneSurrogate),
            (#""\u0000""#, .nul), (#"{"a":{"b":["\u0000"]}}"#, .nul), (#"{"\u0000":1}"#, .nul),
            ("\"\u{1}\"", .controlCharacter), ("\"\u{0}\"", .controlCharacter), ("\"a\nb\"", .controlCharacter),
            ("\"\u{1F}\"", .controlCharacter),
            (#"{"id":1,"id":1}"#, .duplicateName), (#"{"data":{"a":{"x":1,"x":2}}}"#, .duplicateName),
            (#"{"a":1,"\u0061":2}"#, .duplicateName), (#"[{"":1,"":2}]"#, .duplicateName),
        ] as [(String, JSONError.Code)]
    )
    func `what is not strict JSON is refused with its reason`(text: String, expected: JSONError.Code) {
        #expect(Self.code(text) == expected)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80],
            [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
            [0xFE], [0xFF], [0xC3, 0x28],
        ] as [[UInt8]]
    )
    func `bytes that are not UTF-8 are refused in values, names and beside escapes`(wrong: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(Self.code([quote] + wrong + [quote]) == .invalidUTF8)
        #expect(Self.code(Array(#"{"data":{""#.utf8) + wrong + Array(#"":1}}"#.utf8)) == .invalidUTF8)
        #expect(Self.code(Array(#"["\n"#.utf8) + wrong + Array(#"\n"]"#.utf8)) == .invalidUTF8)
    }

    @Test func `numbers at the edge of a float's range are kept`() throws {
        for text in ["1.7976931348623157e308", "5e-324", "0e999999", "-0", "-0.0", "0.10", "1E+2"] {
            #expect(try JSON.parse(Array(text.utf8)) == .number(text))
        }
        let longest = String(repeating: "9", count: 308)
        #expect(try JSON.parse(Array(longest.utf8)) == .number(longest))
        #expect(Self.code(String(repeating: "9", count: 400)) == .numberOutOfRange)
        #expect(Self.code("0." + String(repeating: "1", count: 2_000)) == .numberOutOfRange)
    }

    @Test func `nesting is counted, not recursed into without end`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSON.parse(nested(64))
        #expect(Self.code(nested(65)) == .tooDeep)
        #expect(Self.code(nested(10_000)) == .tooDeep)
        #expect(Self.code(Array(String(repeating: #"{"a":"#, count: 10_000).utf8)) == .tooDeep)
        #expect(throws: JSONError(code: .tooDeep, offset: 2)) { try JSON.parse(nested(3), maxDepth: 2) }
    }

    @Test func `a duplicate is found among thousands of names`() {
        let many = (0..<20_000).map { "\"n\($0)\":0" }.joined(separator: ",")
        #expect(Self.code("{\(many)}") == nil)
        #expect(Self.code("{\(many),\"n7\":0}") == .duplicateName)
    }

    @Test func `names that look the same but have other bytes are two names`() throws {
        let value = try JSON.parse(Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
        #expect(value["\u{E9}"] == 1)
        #expect(value["e\u{301}"] == 2)
        #expect(JSON.string("\u{E9}") != JSON.string("e\u{301}"))
    }

    @Test func `an error says where`() {
        #expect(throws: JSONError(code: .duplicateName, offset: 7)) {
            try JSON.parse(Array(#"{"a":1,"a":2}"#.utf8))
        }
        #expect(throws: JSONError(code: .nul, offset: 2)) { try JSON.parse(Array(#"["\u0000"]"#.utf8)) }
        #expect(JSONError(code: .tooDeep, offset: 3).description == "tooDeep at byte 3")
    }

    @Test func `NUL passes when the caller asks for it`() throws {
        #expect(try JSON.parse(Array(#""a\u0000b""#.utf8), nul: .allowed) == .string("a\u{0}b"))
        #expect(throws: JSONError(code: .controlCharacter, offset: 1)) {
            try JSON.parse([0x22, 0x00, 0x22], nul: .allowed)
        }
    }

    @Test func `elements of an array come with their ranges`() throws {
        let bytes = Array(" [ {\"a\":1} ,2,\"x\" ] ".utf8)
        let elements = try #require(try JSON.parseElements(bytes))
        #expect(elements.map(\.value) == [["a": 1], 2, "x"])
        #expect(elements.map { String(decoding: bytes[$0.range], as: UTF8.self) } == ["{\"a\":1}", "2", "\"x\""])
        #expect(try JSON.parseElements(Array("[]".utf8))?.isEmpty == true)
        #expect(try JSON.parseElements(Array("{}".utf8)) == nil)
        #expect(throws: JSONError.self) { try JSON.parseElements(Array("[1] 2".utf8)) }
        #expect(throws: JSONError.self) { try JSON.parseElements(Array("[1,]".utf8)) }
        #expect(throws: JSONError.self) { try JSON.parseElements(Array("{".utf8)) }
        #expect(throws: JSONError(code: .tooDeep, offset: 1)) {
            try JSON.parseElements(Array("[[]]".utf8), maxDepth: 1)
        }
    }
}
