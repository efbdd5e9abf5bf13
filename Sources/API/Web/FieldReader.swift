internal import JSONText
internal import Tracking

/// Reads the members of one JSON object: notes every fault with its pointer, so that all are reported at once, and
/// counts the members nobody asked for, which are dropped.
struct FieldReader {
    private let object: JSONObject
    private let pointer: String
    private var asked = 0
    private var droppedBelow = 0
    private(set) var faults: [Fault] = []

    init(_ object: JSONObject, at pointer: String = "") {
        self.object = object
        self.pointer = pointer
    }

    /// Members of this object and of those merged into it that were not asked for.
    var dropped: Int { object.members.count - asked + droppedBelow }

    func pointer(to name: String) -> String { pointer + "/" + name.asPointerToken }

    mutating func fault(_ name: String, _ rule: Fault.Rule, _ detail: String) {
        faults.append(Fault(pointer(to: name), rule, detail))
    }

    /// A fault of anything below this object, by its whole pointer.
    mutating func note(at pointer: String, _ rule: Fault.Rule, _ detail: String) {
        faults.append(Fault(pointer, rule, detail))
    }

    /// Takes over what a reader of an inner object found.
    mutating func merge(_ inner: FieldReader) {
        faults += inner.faults
        droppedBelow += inner.dropped
    }

    /// Any value; counts as asked for.
    mutating func any(_ name: String) -> Stated<JSON> {
        guard let value = object[name] else { return .absent }
        asked += 1
        return value.isNull ? .unknown : .known(value)
    }

    /// A member read by `read`, which gives nil for a value of another type.
    private mutating func typed<Value>(
        _ name: String,
        _ type: String,
        _ read: (JSON) -> Value?
    ) -> Stated<Value> {
        switch any(name) {
        case .absent: return .absent
        case .unknown: return .unknown
        case .known(let json):
            guard let value = read(json) else {
                fault(name, .type, "Must be \(type).")
                return .absent
            }
            return .known(value)
        }
    }

    mutating func text(_ name: String, bytes: ClosedRange<Int> = 1...255) -> Stated<String> {
        let value = typed(name, "a string", \.stringValue)
        guard case .known(let text) = value, !bytes.contains(text.utf8.count) else { return value }
        fault(name, .length, "Must have \(bytes.lowerBound) to \(bytes.upperBound) bytes.")
        return .absent
    }

    mutating func bool(_ name: String) -> Stated<Bool> { typed(name, "true or false", \.boolValue) }

    mutating func integer(_ name: String, in range: ClosedRange<Int64>) -> Stated<Int64> {
        let value = typed(name, "an integer", \.int64Value)
        guard case .known(let number) = value, !range.contains(number) else { return value }
        fault(name, .range, "Must be \(range.lowerBound) to \(range.upperBound).")
        return .absent
    }

    mutating func number(_ name: String, in range: ClosedRange<Double>) -> Stated<Double> {
        let value = typed(name, "a number", \.doubleValue)
        guard case .known(let number) = value, !range.contains(number) else { return value }
        fault(name, .range, "Must be \(range.lowerBound) to \(range.upperBound).")
        return .absent
    }

    /// A word out of a closed list.
    mutating func choice<Choice>(_ name: String, _ choices: [(word: String, value: Choice)]) -> Stated<Choice> {
        switch typed(name, "a string", \.stringValue) {
        case .absent: return .absent
        case .unknown: return .unknown
        case .known(let word):
            guard let choice = choices.first(where: { $0.word == word }) else {
                fault(name, .choice, "Must be one of: \(choices.map(\.word).joined(separator: ", ")).")
                return .absent
            }
            return .known(choice.value)
        }
    }

    /// An RFC 3339 time as microseconds; without an offset it is read in `zone`, and a fault when that is nil.
    mutating func time(_ name: String, zone: TimeZoneRules? = nil) -> Stated<Int64> {
        switch typed(name, "a string", \.stringValue) {
        case .absent: return .absent
        case .unknown: return .unknown
        case .known(let text):
            guard let time = RFC3339.parse(text) else {
                fault(name, .format, "Must be a time as in RFC 3339.")
                return .absent
            }
            if time.hasOffset { return .known(time.microseconds) }
            guard let zone else {
                fault(name, .offset, "Has no offset, and no time zone is configured for its source.")
                return .absent
            }
            return .known(zone.utc(fromLocal: time.microseconds))
        }
    }

    mutating func object(_ name: String) -> Stated<JSONObject> { typed(name, "an object", \.objectValue) }

    mutating func array(_ name: String) -> Stated<[JSON]> { typed(name, "an array", \.arrayValue) }

    /// A member that was read before, in the spelling of the sender.
    func written(_ name: String) -> JSON? { object[name] }

    /// Notes a fault when the member is absent or null; use before reading it.
    mutating func require(_ names: String...) {
        for name in names where object[name]?.isNull ?? true {
            fault(name, .required, "Is required.")
        }
    }
}

extension Stated {
    /// The value when there is one.
    var value: Value? {
        guard case .known(let value) = self else { return nil }
        return value
    }

    func map<Other>(_ transform: (Value) -> Other) -> Stated<Other> {
        switch self {
        case .absent: .absent
        case .unknown: .unknown
        case .known(let value): .known(transform(value))
        }
    }
}

extension String {
    /// As one token of a JSON Pointer (RFC 6901).
    var asPointerToken: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return self }
        return reduce(into: "") { token, character in
            switch character {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.append(character)
            }
        }
    }
}
