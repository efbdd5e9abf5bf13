internal import JSONText

/// Something a member of the body must be for a rule, a type or a member of `data` to apply.
struct Condition: Hashable, Sendable {
    enum Test: Hashable, Sendable {
        case isOneOf([String])
        case isNoneOf([String])
        case beginsWith(String)
        case isPresent(Bool)
    }

    let path: BodyPath
    let test: Test

    /// A member that is missing is none of any texts; an empty text, an empty list and null are not present.
    func holds(at place: Place) -> Bool {
        let value = place.value(at: path)
        let text = value?.scalarText
        switch test {
        case .isOneOf(let texts): return text.map(texts.contains) ?? false
        case .isNoneOf(let texts): return text.map { !texts.contains($0) } ?? true
        case .beginsWith(let prefix): return text?.hasPrefix(prefix) ?? false
        case .isPresent(let wanted): return (value.map(Self.says) ?? false) == wanted
        }
    }

    private static func says(_ value: JSON) -> Bool {
        switch value {
        case .null: false
        case .string(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .bool, .number, .object: true
        }
    }
}

extension [Condition] {
    func hold(at place: Place) -> Bool { allSatisfy { $0.holds(at: place) } }
}
