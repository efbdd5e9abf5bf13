internal import JSONText

extension Adapter {
    /// Reads an adapter; throws everything that is wrong with it at once.
    package init(_ text: [UInt8]) throws(AdapterError) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON.parse(text)
        } catch {
            let problem = AdapterError.Problem(pointer: "", detail: "cannot be read as JSON: \(error)")
            throw AdapterError(code: .badAdapter, problems: [problem])
        }
        var parser = AdapterParser()
        let adapter = parser.adapter(json)
        guard let adapter, parser.problems.isEmpty else {
            throw AdapterError(code: .badAdapter, problems: parser.problems)
        }
        self = adapter
    }
}

/// Takes an adapter apart and gathers what is wrong with it. Methods for the parts stand in extensions, one a file; what
/// they return is nil only when they have complained.
struct AdapterParser {
    private(set) var problems: [AdapterError.Problem] = []
    /// How many lists the rule at hand has entered: the dots that its paths may begin with.
    var depth = 0

    static let format = "doorstep.adapter.v1"

    mutating func adapter(_ json: JSON) -> Adapter? {
        let names = ["adapter", "name", "signature", "handshake", "events"] + Self.ruleMembers
        guard let object = object(json, at: "", only: names) else { return nil }
        if object["adapter"]?.stringValue != Self.format { complain("/adapter", "must be \"\(Self.format)\"") }
        let name = name(object["name"])
        let signature = signature(object["signature"], at: "/signature")
        let handshake = object["handshake"].flatMap { self.handshake($0) }
        let rules = rules(object)
        guard let name, let signature else { return nil }
        return Adapter(name: name, signature: signature, handshake: handshake, rules: rules)
    }

    /// A name is a segment of an address.
    private mutating func name(_ json: JSON?) -> String? {
        guard let name = json?.stringValue, (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({ Self.nameCharacters.contains($0) })
        else {
            complain("/name", "must be 1 to 64 small letters, digits and hyphens")
            return nil
        }
        return name
    }

    private static let nameCharacters = Set("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)

    private mutating func handshake(_ json: JSON) -> String? {
        object(json, at: "/handshake", only: ["query"]).flatMap { text($0["query"], at: "/handshake/query") }
    }
}

extension AdapterParser {
    mutating func complain(_ pointer: String, _ detail: String) {
        // What several rules share is wrong once.
        let problem = AdapterError.Problem(pointer: pointer, detail: detail)
        if !problems.contains(problem) { problems.append(problem) }
    }

    /// An object with none but these members.
    mutating func object(_ json: JSON?, at pointer: String, only names: [String]) -> JSONObject? {
        guard let object = json?.objectValue else {
            complain(pointer, "must be an object")
            return nil
        }
        for member in object.members where !names.contains(member.name) {
            complain(pointer + Adapters.pointer(member.name), "means nothing here")
        }
        return object
    }

    mutating func text(_ json: JSON?, at pointer: String) -> String? {
        guard let text = json?.stringValue, !text.isEmpty else {
            complain(pointer, "must be a text")
            return nil
        }
        return text
    }

    /// One of a closed set of words; `standard` where the member is absent.
    mutating func choice<Word: RawRepresentable<String> & CaseIterable>(
        _ json: JSON?,
        at pointer: String,
        standard: Word
    ) -> Word {
        guard let json else { return standard }
        if let word = json.stringValue.flatMap({ Word(rawValue: $0) }) { return word }
        let words = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        complain(pointer, "must be one of \(words)")
        return standard
    }

    mutating func path(_ text: String, at pointer: String) -> BodyPath? {
        guard let path = BodyPath(text), !path.goesThroughLists else {
            complain(pointer, "`\(text)` is no path to a value")
            return nil
        }
        checkLevel(of: path, at: pointer)
        return path
    }

    mutating func template(_ json: JSON?, at pointer: String) -> Template? {
        guard let text = text(json, at: pointer) else { return nil }
        do throws(Template.Malformed) {
            let template = try Template(text)
            for path in template.paths { checkLevel(of: path, at: pointer) }
            return template
        } catch {
            complain(pointer, "\"\(text)\" is no template: braces must match and hold paths")
            return nil
        }
    }

    private mutating func checkLevel(of path: BodyPath, at pointer: String) {
        if path.level > depth {
            complain(pointer, "`\(path.text)` begins with more dots than there are lists in `each`")
        }
    }
}
