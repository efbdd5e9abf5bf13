internal import JSONText

/// One knob as `GET|POST /settings` has it: its name, how it is written and which values it takes.
struct Knob: Sendable {
    let name: String
    /// What it takes, for people.
    let allowed: String
    private let read: @Sendable (Knobs) -> JSON
    /// Whether the value fits.
    private let write: @Sendable (inout Knobs, JSON) -> Bool

    func value(in knobs: Knobs) -> JSON { read(knobs) }

    /// Turns the knob, if the value is one for it.
    func set(_ knobs: inout Knobs, _ value: JSON) throws(ControlProblem) {
        guard write(&knobs, value) else { throw ControlProblem(400, "\(name) must be \(allowed)") }
    }
}

extension Knob {
    typealias Path<Value> = any WritableKeyPath<Knobs, Value> & Sendable

    init<Value>(
        _ name: String,
        _ path: Path<Value>,
        _ rule: Rule<Value>,
        _ json: @escaping @Sendable (Value) -> JSON
    ) {
        self.init(
            name: name,
            allowed: rule.text,
            read: { json($0[keyPath: path]) },
            write: { knobs, value in
                guard let parsed = rule.parse(value) else { return false }
                knobs[keyPath: path] = parsed
                return true
            }
        )
    }

    static func count(_ name: String, _ path: Path<Int>, _ rule: Rule<Int> = .whole()) -> Knob {
        Knob(name, path, rule) { .integer($0) }
    }

    /// Null is no limit, or leaves it to something else.
    static func count(_ name: String, _ path: Path<Int?>) -> Knob {
        Knob(name, path, .orNull(.whole())) { $0.map { .integer($0) } ?? .null }
    }

    static func number(_ name: String, _ path: Path<Double>, from least: Double) -> Knob {
        Knob(name, path, .number(least...1e9)) { .double($0) }
    }

    /// A probability.
    static func share(_ name: String, _ path: Path<Double>) -> Knob {
        Knob(name, path, .share) { .double($0) }
    }

    /// Null leaves it to something else.
    static func share(_ name: String, _ path: Path<Double?>) -> Knob {
        Knob(name, path, .orNull(.share)) { $0.map { .double($0) } ?? .null }
    }

    /// Seconds outside, microseconds inside.
    static func seconds(_ name: String, _ path: Path<Int64>) -> Knob {
        Knob(name, path, .seconds()) { .double(Double($0) / 1e6) }
    }

    /// Null is for ever.
    static func seconds(_ name: String, _ path: Path<Int64?>) -> Knob {
        Knob(name, path, .orNull(.seconds())) { $0.map { .double(Double($0) / 1e6) } ?? .null }
    }

    static func flag(_ name: String, _ path: Path<Bool>) -> Knob {
        Knob(name, path, .flag) { .bool($0) }
    }

    /// One of an enum's words, of `words` if given.
    static func word<Word: RawRepresentable & CaseIterable & Equatable & Sendable>(
        _ name: String,
        _ path: Path<Word>,
        of words: [Word] = Array(Word.allCases)
    ) -> Knob where Word.RawValue == String {
        Knob(name, path, .word(of: words)) { .string($0.rawValue) }
    }
}
