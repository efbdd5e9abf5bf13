internal import JSONText

/// The members of a body, each taken by name under a rule; what nobody has taken by the end is unknown. A handler reads
/// its whole form before it changes anything, so that a request is applied whole or refused whole.
struct Form {
    private let object: JSONObject
    /// Where the object stands in the body, such as `match.`.
    private let place: String
    private var known: [String] = []

    init(_ json: JSON, at place: String = "") throws(ControlProblem) {
        guard let object = json.objectValue else {
            throw ControlProblem(400, "\(place.isEmpty ? "the body" : String(place.dropLast())) must be an object")
        }
        self.object = object
        self.place = place
    }

    /// A member that may be left out; null is as absent.
    mutating func take<Value>(_ name: String, _ rule: Rule<Value>) throws(ControlProblem) -> Value? {
        known.append(name)
        guard let json = object[name], !json.isNull else { return nil }
        guard let value = rule.parse(json) else { throw problem(name, "must be \(rule.text)") }
        return value
    }

    mutating func need<Value>(_ name: String, _ rule: Rule<Value>) throws(ControlProblem) -> Value {
        guard let value = try take(name, rule) else { throw problem(name, "is needed: \(rule.text)") }
        return value
    }

    /// A member that is an object itself.
    mutating func form(_ name: String) throws(ControlProblem) -> Form? {
        guard let json = try take(name, .any) else { return nil }
        return try Form(json, at: "\(place)\(name).")
    }

    /// A member that is a list of objects.
    mutating func forms(_ name: String) throws(ControlProblem) -> [Form]? {
        guard let items = try take(name, .list(.any)) else { return nil }
        var forms: [Form] = []
        for (index, item) in items.enumerated() { forms.append(try Form(item, at: "\(place)\(name)[\(index)].")) }
        return forms
    }

    /// Refuses members that nothing has asked for.
    func end() throws(ControlProblem) {
        for member in object.members where !known.contains(member.name) {
            let allowed = known.isEmpty ? "there are none" : "there are \(known.joined(separator: ", "))"
            throw problem(member.name, "is unknown; \(allowed)")
        }
    }

    /// What is wrong with a member.
    func problem(_ name: String, _ text: String) -> ControlProblem { ControlProblem(400, "\(place)\(name) \(text)") }
}
