internal import JSONText

extension AdapterParser {
    /// Conditions by path; all of them must hold.
    mutating func conditions(_ json: JSON?, at pointer: String) -> [Condition] {
        guard let json else { return [] }
        guard let members = json.objectValue?.members, !members.isEmpty else {
            complain(pointer, "must give conditions by path")
            return []
        }
        return members.flatMap { member -> [Condition] in
            let place = pointer + Adapters.pointer(member.name)
            let path = path(member.name, at: place)
            let tests = Self.tests(member.value)
            if tests.isEmpty {
                complain(
                    place,
                    "must be a value, a list of values, or some of {\"not\": …, \"prefix\": …, \"present\": …}"
                )
            }
            return path.map { path in tests.map { Condition(path: path, test: $0) } } ?? []
        }
    }

    /// Empty when it is none.
    private static func tests(_ json: JSON) -> [Condition.Test] {
        guard let members = json.objectValue?.members else { return texts(json).map { [.isOneOf($0)] } ?? [] }
        let tests = members.compactMap { test($0) }
        return tests.count == members.count ? tests : []
    }

    private static func test(_ member: JSONObject.Member) -> Condition.Test? {
        switch member.name {
        case "not": texts(member.value).map { .isNoneOf($0) }
        case "prefix": member.value.stringValue.map { .beginsWith($0) }
        case "present": member.value.boolValue.map { .isPresent($0) }
        default: nil
        }
    }

    /// A text, number or truth value, or several of them.
    private static func texts(_ json: JSON) -> [String]? {
        guard let listed = json.arrayValue else { return json.scalarText.map { [$0] } }
        let texts = listed.compactMap(\.scalarText)
        return texts.isEmpty || texts.count < listed.count ? nil : texts
    }
}
