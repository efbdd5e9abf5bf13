internal import JSONText

/// One knob as `GET|POST /settings` has it: its name, how it is written and which values it takes.
struct Knob: Sendable {
    let name: String
    private let read: @Sendable (Knobs) -> JSON
    /// Whether the value fits.
    private let write: @Sendable (inout Knobs, JSON) -> Bool

    func value(in knobs: Knobs) -> JSON { read(knobs) }

    /// Turns the knob, if the value is one for it.
    func set(_ knobs: inout Knobs, _ value: JSON) -> Bool { write(&knobs, value) }
}

extension Knob {
    typealias Path<Value> = any WritableKeyPath<Knobs, Value> & Sendable

    /// A knob whose value is made from JSON by `parse`, which gives nil for what does not fit.
    private init<Value>(
        _ name: String,
        _ path: Path<Value>,
        _ parse: @escaping @Sendable (JSON) -> Value?,
        _ json: @escaping @Sendable (Value) -> JSON
    ) {
        self.init(
            name: name,
            read: { json($0[keyPath: path]) },
            write: { knobs, value in
                guard let parsed = parse(value) else { return false }
                knobs[keyPath: path] = parsed
                return true
            }
        )
    }

    static func count(_ name: String, _ path: Path<Int>) -> Knob {
        Knob(name, path, wholeNumber) { .integer($0) }
    }

    /// Null is no limit, or leaves it to something else.
    static func count(_ name: String, _ path: Path<Int?>) -> Knob {
        Knob(name, path, optional(wholeNumber)) { $0.map { .integer($0) } ?? .null }
    }

    static func number(_ name: String, _ path: Path<Double>) -> Knob {
        Knob(name, path, positive) { .double($0) }
    }

    /// A probability.
    static func share(_ name: String, _ path: Path<Double>) -> Knob {
        Knob(name, path, probability) { .double($0) }
    }

    /// Null leaves it to something else.
    static func share(_ name: String, _ path: Path<Double?>) -> Knob {
        Knob(name, path, optional(probability)) { $0.map { .double($0) } ?? .null }
    }

    /// Seconds outside, microseconds inside.
    static func seconds(_ name: String, _ path: Path<Int64>) -> Knob {
        Knob(name, path, microseconds) { .double(Double($0) / 1e6) }
    }

    /// Null is for ever.
    static func seconds(_ name: String, _ path: Path<Int64?>) -> Knob {
        Knob(name, path, optional(microseconds)) {
            $0.map { .double(Double($0) / 1e6) } ?? .null
        }
    }

    static func flag(_ name: String, _ path: Path<Bool>) -> Knob {
        Knob(name, path, \.boolValue) { .bool($0) }
    }

    /// One of an enum's words, of `words` if given.
    static func word<Word: RawRepresentable & Equatable & Sendable>(
        _ name: String,
        _ path: Path<Word>,
        of words: [Word]? = nil
    ) -> Knob where Word.RawValue == String {
        Knob(
            name,
            path,
            { value in
                guard let word = value.stringValue.flatMap(Word.init) else { return nil }
                return words?.contains(word) ?? true ? word : nil
            },
            { .string($0.rawValue) }
        )
    }
}

/// Null, or what `parse` takes.
private func optional<Value>(_ parse: @escaping @Sendable (JSON) -> Value?) -> @Sendable (JSON) -> Value?? {
    { $0.isNull ? .some(nil) : parse($0).map { .some($0) } }
}

private func positive(_ value: JSON) -> Double? {
    value.doubleValue.flatMap { $0 >= 0 && $0 < 1e12 ? $0 : nil }
}

private func probability(_ value: JSON) -> Double? {
    value.doubleValue.flatMap { (0...1).contains($0) ? $0 : nil }
}

private func wholeNumber(_ value: JSON) -> Int? { value.int64Value.flatMap { $0 >= 0 ? Int(clamping: $0) : nil } }

private func microseconds(_ value: JSON) -> Int64? { positive(value).map { Int64($0 * 1_000_000) } }
