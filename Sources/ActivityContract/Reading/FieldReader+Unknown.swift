internal import JSONText

/// What is sent while a value is unknown.
extension FieldReader {
    /// The field with its sentinel, null or hold.
    mutating func covered(_ source: ContractSource, _ type: SwiftType, _ cases: [JSON]?) -> ContractField {
        guard source.mayBeUnknown else { return ContractField(name, source) }
        guard let word = members.value("ifUnknown"), !word.isNull else {
            if !type.isOptional {
                members.complain(
                    "ifUnknown",
                    about: .unknownUncovered,
                    "\(type.spelling) cannot say unknown: make the property optional, or name a sentinel the app knows"
                )
            }
            return ContractField(name, source)
        }
        guard word == "hold" else {
            return ContractField(name, source, fallback: .value(sentinel(word, "ifUnknown", source, type, cases)))
        }
        guard let form = source.momentForm else {
            members.complain(
                "ifUnknown",
                about: .unfitHold,
                "only eta and promisedAt can be waited for; name a sentinel"
            )
            return ContractField(name, source)
        }
        return ContractField(name, source, fallback: fallbackOfHold(source, form, type), holds: true)
    }

    /// What a field that was known when the card started says once it is known no more.
    private mutating func fallbackOfHold(
        _ source: ContractSource,
        _ form: MomentForm,
        _ type: SwiftType
    ) -> ContractField.Fallback {
        // Attributes are written once, at the start.
        if place == .attributes { return type.isOptional ? .value(.null) : .asOf(form) }
        guard let word = members.value("ifLost"), !word.isNull else {
            if !type.isOptional {
                members.complain(
                    "ifLost",
                    about: .unknownUncovered,
                    "an arrival time is lost when the order ends or goes quiet: name a sentinel, or \"asOf\""
                )
            }
            return .value(.null)
        }
        if word == "asOf", form != .minutes { return .asOf(form) }
        return .value(sentinel(word, "ifLost", source, type, nil))
    }

    /// The value as it is sent.
    private mutating func sentinel(
        _ word: JSON,
        _ member: String,
        _ source: ContractSource,
        _ type: SwiftType,
        _ cases: [JSON]?
    ) -> JSON {
        if source.momentForm == .swiftDate {
            if word == "distantPast" { return Self.distantPast }
            if word == "distantFuture" { return Self.distantFuture }
        }
        check(word, at: [member], type, cases)
        if source.momentForm != nil, word.doubleValue == 0 {
            members.complain(
                member,
                about: .zeroForUnknown,
                "0 says now, 1970 or 2001, not unknown: make the property optional, or use -1, distantPast or hold"
            )
        }
        return word
    }

    /// `Date.distantPast` and `Date.distantFuture` as `Date` codes itself.
    private static let distantPast: JSON = -63_114_076_800
    private static let distantFuture: JSON = 63_113_904_000
}

extension ContractSource {
    /// Of the fields that may be unknown, those with a form are known as soon as an arrival time is.
    fileprivate var momentForm: MomentForm? {
        switch self {
        case .moment(_, let form): form
        case .constant, .phase, .progress, .text, .count, .flag, .flagWords: nil
        }
    }
}
