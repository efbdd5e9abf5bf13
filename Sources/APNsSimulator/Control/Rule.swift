internal import Crypto
internal import JSONText
private import Runtime

/// What a value of the control API may be, for knobs, members of bodies and the query alike.
struct Rule<Value>: Sendable {
    /// What is allowed, as people read it after "must be".
    let text: String
    /// Nil for what does not fit.
    let parse: @Sendable (JSON) -> Value?

    init(_ text: String, _ parse: @escaping @Sendable (JSON) -> Value?) {
        self.text = text
        self.parse = parse
    }

    /// Null as well, where that says something of its own.
    static func orNull<Wrapped>(_ rule: Rule<Wrapped>) -> Rule where Value == Wrapped? {
        Rule("\(rule.text), or null") { $0.isNull ? .some(nil) : rule.parse($0).map { .some($0) } }
    }

    static func list<Element>(_ rule: Rule<Element>) -> Rule where Value == [Element] {
        Rule("a list, not empty, each item \(rule.text)") { json in
            guard let items = json.arrayValue, !items.isEmpty else { return nil }
            let parsed = items.compactMap(rule.parse)
            return parsed.count == items.count ? parsed : nil
        }
    }
}

extension Rule where Value == Int {
    static func whole(_ range: ClosedRange<Int> = 0...Int(Int32.max)) -> Rule {
        Rule("a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0.int64Value.flatMap(Int.init(exactly:)).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    static let milliseconds = whole(0...86_400_000)
}

extension Rule where Value == Double {
    static func number(_ range: ClosedRange<Double>) -> Rule {
        Rule("a number from \(range.lowerBound) to \(range.upperBound)") {
            $0.doubleValue.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A probability.
    static let share = number(0...1)
}

extension Rule where Value == Int64 {
    /// More than thirty years, which no sum of times overflows.
    static let longestSeconds = 1e9

    /// Seconds outside, microseconds inside.
    static func seconds(_ range: ClosedRange<Double> = 0...longestSeconds) -> Rule {
        Rule("a number of seconds from \(range.lowerBound) to \(range.upperBound)") {
            $0.doubleValue.flatMap { range.contains($0) ? Int64($0 * 1_000_000) : nil }
        }
    }

    /// Milliseconds since 1970.
    static let instant = Rule("a whole number of milliseconds since 1970") {
        $0.int64Value.flatMap { (0...4_102_444_800_000).contains($0) ? $0 : nil }
    }
}

extension Rule where Value == JSON {
    static let any = Rule("anything") { $0 }
}

extension Rule where Value == Bool {
    static let flag = Rule("true or false") { $0.boolValue }
}

extension Rule where Value == String {
    /// What an id or a name may be.
    static let name = Rule("a text of 1 to 255 bytes without control characters") {
        guard let text = $0.stringValue, (1...255).contains(text.utf8.count) else { return nil }
        return text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? nil : text
    }

    /// Of this machine's database, as an iPhone has one.
    static let timeZone = Rule("the IANA name of a time zone, such as Europe/Zurich") {
        $0.stringValue.flatMap { TimeZoneDatabase.has($0) ? $0 : nil }
    }

    /// Numbers with dots between them, as versions and builds are.
    static func version(_ example: String) -> Rule {
        Rule("up to three numbers such as \(example)") {
            guard let text = $0.stringValue else { return nil }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let areNumbers = parts.allSatisfy { (1...9).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }
            return parts.count <= 3 && areNumbers ? text : nil
        }
    }

    /// In lower case, as the token stores have it.
    static let token = Rule("a push token: hexadecimal digits, an even number of them") {
        $0.stringValue.flatMap { $0.isPushToken ? $0.lowercased() : nil }
    }
}

extension Rule where Value: RawRepresentable & Equatable & Sendable, Value.RawValue == String {
    static func word(of words: [Value]) -> Rule {
        Rule("one of \(words.map(\.rawValue).joined(separator: ", "))") { json in
            json.stringValue.flatMap(Value.init).flatMap { words.contains($0) ? $0 : nil }
        }
    }
}

extension Rule where Value: RawRepresentable & Equatable & Sendable & CaseIterable, Value.RawValue == String {
    static var word: Rule { word(of: Array(Value.allCases)) }
}

extension Rule where Value == ES256PublicKey {
    static let publicKey = Rule("a public key of curve P-256 in PEM") { json in
        json.stringValue.flatMap { try? ES256PublicKey(pem: $0) }
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
