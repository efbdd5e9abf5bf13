internal import JSONText

/// Reads the members of one object of a contract and gathers what is wrong, each with its JSON pointer.
struct ContractMembers {
    let pointer: String
    let object: JSONObject
    private var asked: Set<String> = []
    private var found: [ContractProblem] = []

    init(_ json: JSON, at pointer: String) {
        self.pointer = pointer
        object = json.objectValue ?? JSONObject()
        if json.objectValue == nil {
            found.append(ContractProblem(pointer, .malformed, "must be an object, in braces"))
        }
    }

    /// Everything wrong, members that mean nothing included; to be asked last.
    var problems: [ContractProblem] {
        found
            + object.members.filter { !asked.contains($0.name) }.map {
                ContractProblem(pointer(to: $0.name), .unknownMember, "means nothing here; remove it or mend its name")
            }
    }

    /// To a member, or to one of its own members.
    func pointer(to names: String...) -> String { pointer(to: names) }

    private func pointer(to names: [String]) -> String {
        names.reduce(pointer) { pointer, name in
            pointer + "/" + name.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
        }
    }

    mutating func complain(_ names: String..., about rule: ContractProblem.Rule, _ remedy: String) {
        complain(names, about: rule, remedy)
    }

    mutating func complain(_ path: [String], about rule: ContractProblem.Rule, _ remedy: String) {
        found.append(ContractProblem(pointer(to: path), rule, remedy))
    }

    mutating func take(_ others: [ContractProblem]) { found += others }

    /// A member as it stands, be it null.
    mutating func value(_ name: String) -> JSON? {
        asked.insert(name)
        return object[name]
    }

    mutating func text(_ name: String) -> String? {
        guard let value = value(name) else { return nil }
        if let text = value.stringValue, !text.isEmpty { return text }
        complain(name, about: .malformed, "must be a text")
        return nil
    }

    mutating func needed(_ name: String, _ remedy: String) -> String? {
        if object[name] == nil { complain(name, about: .missingMember, remedy) }
        return text(name)
    }

    mutating func bool(_ name: String) -> Bool? {
        guard let value = value(name) else { return nil }
        if value.boolValue == nil { complain(name, about: .malformed, "must be true or false") }
        return value.boolValue
    }
}
