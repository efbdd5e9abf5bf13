/// A cursor over JSON text: reads one value at a time and checks everything it passes.
///
/// It holds no pointer: each method is given the bytes as a bounds-checked span. Strings and numbers live in their own
/// files.
struct JSONScanner: ~Copyable {
    let maxDepth: Int
    let nul: JSON.NulRule
    var position = 0
    private var depth = 0

    init(maxDepth: Int, nul: JSON.NulRule) {
        self.maxDepth = maxDepth
        self.nul = nul
    }

    /// The value at the cursor, whitespace before it skipped.
    mutating func value(in bytes: Span<UInt8>) throws(JSONError) -> JSON {
        switch try next(in: bytes) {
        case UInt8(ascii: "\""): return .string(try string(in: bytes))
        case UInt8(ascii: "{"): return .object(try object(in: bytes))
        case UInt8(ascii: "["): return .array(try array(in: bytes))
        case UInt8(ascii: "t"): return try literal("true", .bool(true), in: bytes)
        case UInt8(ascii: "f"): return try literal("false", .bool(false), in: bytes)
        case UInt8(ascii: "n"): return try literal("null", .null, in: bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number(in: bytes))
        default: throw failure(.unexpectedByte)
        }
    }

    /// Hands out the elements of the array at the cursor with their ranges; false when no array begins here.
    mutating func topLevelArray(
        in bytes: Span<UInt8>,
        _ element: (JSON, Range<Int>) -> Void
    ) throws(JSONError) -> Bool {
        guard try next(in: bytes) == UInt8(ascii: "[") else { return false }
        try enter()
        guard try !closes(UInt8(ascii: "]"), in: bytes) else { return true }
        repeat {
            _ = try next(in: bytes)
            let start = position
            let value = try value(in: bytes)
            element(value, start..<position)
        } while try continues(until: UInt8(ascii: "]"), in: bytes)
        return true
    }

    /// Nothing but whitespace may be left.
    mutating func end(of bytes: Span<UInt8>) throws(JSONError) {
        skipWhitespace(in: bytes)
        guard position == bytes.count else { throw failure(.trailingBytes) }
    }

    func failure(_ code: JSONError.Code) -> JSONError { JSONError(code: code, offset: position) }
}

extension JSONScanner {
    private mutating func array(in bytes: Span<UInt8>) throws(JSONError) -> [JSON] {
        try enter()
        var elements: [JSON] = []
        guard try !closes(UInt8(ascii: "]"), in: bytes) else { return elements }
        repeat {
            elements.append(try value(in: bytes))
        } while try continues(until: UInt8(ascii: "]"), in: bytes)
        return elements
    }

    private mutating func object(in bytes: Span<UInt8>) throws(JSONError) -> JSONObject {
        try enter()
        var members: [JSONObject.Member] = []
        guard try !closes(UInt8(ascii: "}"), in: bytes) else { return JSONObject() }
        members.reserveCapacity(8)
        var names = NameSet()
        repeat {
            guard try next(in: bytes) == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
            let start = position
            let name = try string(in: bytes)
            guard names.insert(name, among: members) else {
                throw JSONError(code: .duplicateName, offset: start)
            }
            guard try next(in: bytes) == UInt8(ascii: ":") else { throw failure(.unexpectedByte) }
            position += 1
            members.append(JSONObject.Member(name: name, value: try value(in: bytes)))
        } while try continues(until: UInt8(ascii: "}"), in: bytes)
        return JSONObject(members)
    }

    private mutating func literal(
        _ text: StaticString,
        _ value: JSON,
        in bytes: Span<UInt8>
    ) throws(JSONError) -> JSON {
        let length = text.utf8CodeUnitCount
        guard bytes.count - position >= length else { throw failure(.unexpectedEnd) }
        let matches = text.withUTF8Buffer { expected in
            expected.indices.allSatisfy { bytes[position + $0] == expected[$0] }
        }
        guard matches else { throw failure(.unexpectedByte) }
        position += length
        return value
    }

    /// Steps over the opening bracket.
    private mutating func enter() throws(JSONError) {
        guard depth < maxDepth else { throw failure(.tooDeep) }
        depth += 1
        position += 1
    }

    /// True, and past the bracket, when an array or object is closed right here.
    private mutating func closes(_ bracket: UInt8, in bytes: Span<UInt8>) throws(JSONError) -> Bool {
        guard try next(in: bytes) == bracket else { return false }
        depth -= 1
        position += 1
        return true
    }

    /// After an element: true past a comma, false past the closing bracket.
    private mutating func continues(until bracket: UInt8, in bytes: Span<UInt8>) throws(JSONError) -> Bool {
        if try closes(bracket, in: bytes) { return false }
        guard bytes[position] == UInt8(ascii: ",") else { throw failure(.unexpectedByte) }
        position += 1
        return true
    }

    /// The next byte that is no whitespace; the cursor stands on it.
    private mutating func next(in bytes: Span<UInt8>) throws(JSONError) -> UInt8 {
        skipWhitespace(in: bytes)
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        return bytes[position]
    }

    private mutating func skipWhitespace(in bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }
}
