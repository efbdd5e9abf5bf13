internal import JSONText

extension ColumnMap {
    /// Reads a map; throws everything that is wrong with it at once.
    init(_ json: JSON, name: String) throws(ReplayError) {
        var parser = MapParser(name: name, object: json.objectValue ?? JSONObject())
        let map = parser.map()
        try parser.problems.throwIfAny()
        guard let map else { throw ReplayError(.badInput, "\(name): no map") }
        self = map
    }
}

/// Takes a map apart and gathers what is wrong with it.
private struct MapParser {
    let name: String
    let object: JSONObject
    var problems = Problems()

    init(name: String, object: JSONObject) {
        self.name = name
        self.object = object
    }

    mutating func map() -> ColumnMap? {
        let known = ["map", "app", "source", "id", "subject", "time", "type", "types", "otherwise", "data", "ignore"]
        for member in object.members where !known.contains(member.name) {
            complain("`\(member.name)` is no member of a map")
        }
        if object["map"]?.stringValue != "doorstep.csv.v1" { complain("`map` must be \"doorstep.csv.v1\"") }
        let app = object["app"] == nil ? nil : text("app")
        let source = text("source")
        let id = template("id")
        let subject = template("subject")
        let time = template("time")
        let type = template("type")
        let types = types()
        let otherwise = otherwise()
        let data = data(words: otherwise == .error && !types.isEmpty ? types : nil)
        let ignored = ignored()
        guard let source, let id, let subject, let time, let type else { return nil }
        return ColumnMap(
            app: app,
            source: source,
            id: id,
            subject: subject,
            time: time,
            type: type,
            types: types,
            otherwise: otherwise,
            data: data,
            ignored: ignored
        )
    }

    private mutating func complain(_ sentence: String) { problems.add("\(name): \(sentence)") }

    private mutating func text(_ member: String) -> String? {
        guard let text = object[member]?.stringValue, !text.isEmpty else {
            complain("`\(member)` must be a text")
            return nil
        }
        return text
    }

    private mutating func template(_ member: String) -> ColumnTemplate? {
        text(member).flatMap { template($0, of: member) }
    }

    private mutating func template(_ text: String, of member: String) -> ColumnTemplate? {
        do throws(ColumnTemplate.Malformed) {
            return try ColumnTemplate(text)
        } catch {
            complain("`\(member)`: braces in \"\(text)\" do not match")
            return nil
        }
    }

    private mutating func types() -> [String: String] {
        guard let types = object["types"] else { return [:] }
        var words: [String: String] = [:]
        for member in types.objectValue?.members ?? [] { words[member.name] = member.value.stringValue }
        if words.isEmpty || words.count != types.objectValue?.members.count {
            complain("`types` must map the file's words to canonical types")
        }
        return words
    }

    private mutating func otherwise() -> ColumnMap.Otherwise {
        guard let otherwise = object["otherwise"] else { return .error }
        guard let known = otherwise.stringValue.flatMap(ColumnMap.Otherwise.init) else {
            complain("`otherwise` must be \"error\" or \"keep\"")
            return .error
        }
        return known
    }

    private mutating func ignored() -> [String] {
        guard let ignore = object["ignore"] else { return [] }
        guard let names = ignore.arrayValue, names.allSatisfy({ $0.stringValue != nil }) else {
            complain("`ignore` must be a list of columns")
            return []
        }
        return names.compactMap(\.stringValue)
    }

    /// `words` are the only ones that can occur, or nil when any can.
    private mutating func data(words: [String: String]?) -> [ColumnMap.Member] {
        guard let data = object["data"] else { return [] }
        guard let members = data.objectValue?.members else {
            complain("`data` must be an object")
            return []
        }
        let parsed = members.compactMap { self.member($0, words: words) }
        for member in parsed where parsed.contains(where: { member.path.isUnder($0.path) }) {
            complain("`data`: `\(member.path.joined(separator: "."))` lies inside a member that has a value")
        }
        return parsed
    }

    private mutating func member(_ member: JSONObject.Member, words: [String: String]?) -> ColumnMap.Member? {
        let path = member.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if path.contains("") { complain("`data`: `\(member.name)` is no path") }
        if let text = member.value.stringValue {
            return template(text, of: member.name).map { .init(path: path, value: .template($0), from: nil) }
        }
        let parts = member.value.objectValue ?? JSONObject()
        for part in parts.members where !["value", "literal", "from"].contains(part.name) {
            complain("`data`: `\(member.name)` has a member `\(part.name)`, which means nothing")
        }
        let from = from(parts["from"], of: member.name, words: words)
        switch (parts["value"]?.stringValue, parts["literal"]) {
        case (let text?, nil):
            return template(text, of: member.name).map { .init(path: path, value: .template($0), from: from) }
        case (nil, let literal?): return .init(path: path, value: .literal(literal), from: from)
        case (nil, nil), (_?, _?):
            complain("`data`: `\(member.name)` must be a text, or have either `value` or `literal`")
            return nil
        }
    }

    private mutating func from(_ from: JSON?, of member: String, words: [String: String]?) -> [String]? {
        guard let from else { return nil }
        let listed = from.arrayValue?.compactMap(\.stringValue) ?? []
        if listed.isEmpty || listed.count != from.arrayValue?.count {
            complain("`data`: `from` of `\(member)` must list words of the file")
        }
        if let words {
            for word in listed where words[word] == nil {
                complain("`data`: `from` of `\(member)` lists `\(word)`, which `types` does not")
            }
        }
        return listed
    }
}

extension [String] {
    fileprivate func isUnder(_ other: [String]) -> Bool { count > other.count && starts(with: other) }
}
