internal import JSONText

/// Reads one property of the app's type; a field comes of it even where something is wrong, so that all rules are asked.
struct FieldReader {
    enum Place {
        case attributes
        case state
    }

    let name: String
    let place: Place
    var members: ContractMembers

    init(_ name: String, _ json: JSON, at pointer: String, in place: Place) {
        self.name = name
        self.place = place
        members = ContractMembers(json, at: pointer)
    }

    var problems: [ContractProblem] { members.problems }

    /// Nil when type or source cannot be told.
    mutating func field() -> ContractField? {
        let type = type()
        let cases = cases(of: type)
        if let value = members.value("value") {
            if members.object["from"] != nil {
                members.complain("value", about: .unknownMember, "has a place only without \"from\"")
            }
            guard let type else { return nil }
            check(value, at: ["value"], type, cases)
            return ContractField(name, .constant(value))
        }
        guard let origin = origin(), let type else { return nil }
        guard let source = source(of: origin, type, cases) else { return nil }
        return covered(source, type, cases)
    }

    private mutating func type() -> SwiftType? {
        let remedy = "must be the property's Swift type: \(SwiftType.spellings)"
        guard let spelling = members.needed("type", remedy) else { return nil }
        let type = SwiftType(spelling)
        if type == nil {
            members.complain("type", about: .malformed, "\(remedy); an enum is its raw type with \"cases\"")
        }
        return type
    }

    /// The raw values of an enum; nil for any other type.
    private mutating func cases(of type: SwiftType?) -> [JSON]? {
        guard let json = members.value("cases") else { return nil }
        guard let cases = json.arrayValue, !cases.isEmpty, type.map({ cases.allSatisfy($0.decodes) }) ?? true else {
            members.complain("cases", about: .malformed, "must list the enum's raw values, each of the property's type")
            return nil
        }
        return cases
    }

    private mutating func origin() -> CanonicalField? {
        let remedy = "must be one of \(CanonicalField.names.joined(separator: ", ")), or give a fixed \"value\""
        guard let word = members.needed("from", remedy) else { return nil }
        let field = CanonicalField(name: word)
        if field == nil {
            members.complain("from", about: .unknownField, "\(remedy); nothing is worked out from elapsed time")
        }
        return field
    }

    // MARK: - What is written

    private mutating func source(
        of origin: CanonicalField,
        _ type: SwiftType,
        _ cases: [JSON]?
    ) -> ContractSource? {
        switch origin {
        case .phase: return phaseSource(type, cases)
        case .progress:
            _ = form([.fraction], type)
            return .progress(steps: members.object["steps"] == nil ? nil : steps(.fraction))
        case .text(let field):
            _ = form([.text], type)
            if cases != nil {
                members.complain("cases", about: .unfitForm, "this field holds any text; only mapped fields have cases")
            }
            return .text(field)
        case .count(let field):
            _ = form([.number], type)
            return .count(field)
        case .flag(let field):
            if members.object["map"] != nil { return flagWords(field, type, cases) }
            _ = form([.flag], type)
            return .flag(field)
        case .moment(let field):
            guard members.object["as"] != nil else {
                members.complain(
                    "as",
                    about: .missingMember,
                    "two epochs are in use: say swiftDate for a Date, unixSeconds for an Int, or minutes"
                )
                return nil
            }
            // The newest word about the order is past: no minutes lead to it.
            let forms: [FormName] = field == .asOf ? [.unixSeconds, .swiftDate] : [.unixSeconds, .swiftDate, .minutes]
            return form(forms, type).flatMap { momentSource(field, $0) }
        }
    }

    /// The form of the field, the first of those that go with it unless the contract names one.
    mutating func form(_ possible: [FormName], _ type: SwiftType) -> FormName? {
        guard let form = members.object["as"] == nil ? possible.first : named(possible) else { return nil }
        if form.fits(type.kind) { return form }
        members.complain(
            "type",
            about: .unfitForm,
            "\(form.rawValue) does not decode as \(type.spelling); change the property's type or \"as\""
        )
        return nil
    }

    private mutating func named(_ possible: [FormName]) -> FormName? {
        guard let word = members.text("as") else { return nil }
        guard let form = FormName(rawValue: word) else {
            members.complain(
                "as",
                about: .unknownForm,
                "must be one of \(FormName.spellings); a default JSONDecoder reads neither ISO dates nor milliseconds"
            )
            return nil
        }
        if possible.contains(form) { return form }
        let words = possible.map(\.rawValue).joined(separator: ", ")
        members.complain("as", about: .unfitForm, "this field can be written as \(words)")
        return nil
    }

    private mutating func momentSource(_ field: CanonicalMoment, _ form: FormName) -> ContractSource? {
        switch form {
        case .unixSeconds: return .moment(field, .unixSeconds)
        case .swiftDate: return .moment(field, .swiftDate)
        case .minutes:
            if place == .attributes {
                members.complain(
                    "as",
                    about: .minutesInAttributes,
                    "attributes never change, so minutes would stand still; send a moment as swiftDate or unixSeconds"
                )
            }
            return .moment(field, .minutes)
        case .text, .number, .flag, .fraction, .step: return nil
        }
    }

    /// Complains about a value that does not decode as the property's type or is none of the enum's cases.
    mutating func check(_ value: JSON, at path: [String], _ type: SwiftType, _ cases: [JSON]?) {
        if !type.decodes(value), !(type.isOptional && value.isNull) {
            members.complain(path, about: .unfitValue, "\(value) does not decode as \(type.spelling)")
        } else if let cases, !value.isNull, !cases.contains(value) {
            let words = cases.map(\.description).joined(separator: ", ")
            members.complain(path, about: .unfitValue, "\(value) is none of the enum's cases: \(words)")
        }
    }
}
