import JSONText
import Runtime
import Testing

/// Laws that hold for any text, tried with seeded mutations of a real event.
@Suite struct JSONPropertyTests {
    @Test func `reading what was written gives the same value, and the canonical form is a fixed point`() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<3_000 {
            let value = Self.value(depth: 0, &random)
            let read = try JSON.parse(value.serialized(), nul: .allowed)
            #expect(read == value)
            #expect(try JSON.parse(value.canonical(), nul: .allowed).canonical() == value.canonical())
        }
    }

    @Test func `shuffled members and added whitespace do not change the canonical form`() throws {
        var random = SplitMix64(seed: 2)
        for _ in 0..<1_000 {
            let value = Self.value(depth: 0, &random)
            let other = Self.disguised(value, &random)
            #expect(try JSON.parse(Array(other.utf8), nul: .allowed).canonical() == value.canonical())
        }
    }

    @Test func `mutated events never trap, and what is accepted reads back the same`() throws {
        var random = SplitMix64(seed: 3)
        let event = Array(Self.event.utf8)
        var accepted = 0
        for _ in 0..<30_000 {
            var bytes = event
            for _ in 0...Int.random(in: 0..<3, using: &random) { Self.mutate(&bytes, &random) }
            guard let value = try? JSON.parse(bytes) else { continue }
            accepted += 1
            #expect(try JSON.parse(value.serialized()) == value)
            #expect(String(validating: bytes, as: UTF8.self) != nil)
        }
        #expect((3_000...29_000).contains(accepted))
    }

    @Test func `random bytes and truncated events are refused without a trap`() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<24, using: &random)).map { _ in Self.byte(&random) }
            guard let value = try? JSON.parse(bytes) else { continue }
            #expect((try? JSON.parse(value.serialized())) == value)
        }
        let event = Array(Self.event.utf8)
        for end in 0..<event.count {
            #expect(throws: JSONError.self) { try JSON.parse(Array(event[..<end])) }
        }
    }

    // MARK: Generators

    private static let event = #"""
        {"specversion":"1.0","id":"evt-1","source":"//kitchen","type":"order.picked_up","subject":"o-\u00e9\ud83d\ude00",
         "time":"2026-11-30T02:17:46.123456Z","data":{"customer":"c","restaurant":{"name":"Caf\u00e9 \"Z\"é"},
         "eta":null,"progress":-0.5e1,"n":[1,2.50,[true,false,{}]]}}
        """#

    private static func byte(_ random: inout SplitMix64) -> UInt8 {
        Array("{}[]\",:\\u0e-+.1tfn \u{0}\u{FF}".utf8).randomElement(using: &random) ?? 0
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes[index] = byte(&random)
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(byte(&random), at: index)
        default:
            let other = Int.random(in: bytes.indices, using: &random)
            bytes.insert(contentsOf: bytes[min(index, other)..<max(index, other)].prefix(16), at: index)
        }
    }

    private static func value(depth: Int, _ random: inout SplitMix64) -> JSON {
        switch Int.random(in: 0..<(depth < 5 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
        case 3: return .double(Double.random(in: -1e300...1e300, using: &random))
        case 4: return .string(text(&random))
        case 5: return .array((0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth: depth + 1, &random) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<20, using: &random) {
                object[text(&random)] = value(depth: depth + 1, &random)
            }
            return .object(object)
        }
    }

    private static func text(_ random: inout SplitMix64) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "b", "\"", "\\", "/", "\u{0}", "\u{1F}", "\u{E9}", "\u{301}", "\u{1F600}",
        ]
        return (0..<Int.random(in: 0..<6, using: &random))
            .compactMap { _ in scalars.randomElement(using: &random) }
            .reduce(into: "") { $0.unicodeScalars.append($1) }
    }

    /// The same value as another sender might write it.
    private static func disguised(_ value: JSON, _ random: inout SplitMix64) -> String {
        let space = [" ", "", "\n\t", "\r"].randomElement(using: &random) ?? ""
        switch value {
        case .null, .bool, .number: return space + value.description + space
        case .string(let text):
            let units = text.utf16.map { unit in
                let hex = String(unit, radix: 16, uppercase: Bool.random(using: &random))
                return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            }
            return "\(space)\"\(units.joined())\"\(space)"
        case .array(let elements):
            return "[\(elements.map { disguised($0, &random) }.joined(separator: ","))\(space)]"
        case .object(let object):
            let members = object.members.shuffled(using: &random).map { member in
                "\(disguised(.string(member.name), &random)):\(disguised(member.value, &random))"
            }
            return "{\(members.joined(separator: ","))\(space)}"
        }
    }
}
