internal import JSONText

extension AdapterParser {
    mutating func data(_ json: JSON?, words: [String: [EventRule.Choice]], at pointer: String) -> [DataMember] {
        guard let json else { return [] }
        guard let members = json.objectValue?.members else {
            complain(pointer, "must be an object")
            return []
        }
        if members.count(where: { $0.name.hasPrefix("references.") }) > EventLimits.references {
            complain(pointer, "has more than \(EventLimits.references) references")
        }
        return members.compactMap { member($0, words: words, at: pointer + Adapters.pointer($0.name)) }
    }

    private mutating func member(
        _ member: JSONObject.Member,
        words: [String: [EventRule.Choice]],
        at pointer: String
    ) -> DataMember? {
        let path = member.name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = DataMember.Kind(path) else {
            complain(pointer, "is no member that an adapter may fill")
            return nil
        }
        if member.value.stringValue != nil {
            return template(member.value, at: pointer).map {
                .init(path: path, kind: kind, value: .template($0, .rfc3339), conditions: [], from: nil)
            }
        }
        guard let parts = object(member.value, at: pointer, only: ["value", "unit", "literal", "from", "when"]) else {
            return nil
        }
        let value = value(parts, kind, at: pointer)
        let conditions = conditions(parts["when"], at: pointer + "/when")
        let from = parts["from"].map { self.from($0, words: words, at: pointer + "/from") }
        return value.map { .init(path: path, kind: kind, value: $0, conditions: conditions, from: from) }
    }

    private mutating func value(
        _ parts: JSONObject,
        _ kind: DataMember.Kind,
        at pointer: String
    ) -> DataMember.Value? {
        if parts["unit"] != nil, !kind.isTime || parts["value"] == nil {
            complain(pointer + "/unit", "belongs to the `value` of a time")
        }
        switch (parts["value"], parts["literal"]) {
        case (let template?, nil):
            let unit = choice(parts["unit"], at: pointer + "/unit", standard: TimeUnit.rfc3339)
            return self.template(template, at: pointer + "/value").map { .template($0, unit) }
        case (nil, let literal?):
            if !kind.allows(literal) { complain(pointer + "/literal", "is nothing that this member can be") }
            return .literal(literal)
        case (nil, nil), (_?, _?):
            complain(pointer, "must be a template, or have either `value` or `literal`")
            return nil
        }
    }

    private mutating func from(_ json: JSON, words: [String: [EventRule.Choice]], at pointer: String) -> [String] {
        let listed = json.arrayValue?.compactMap(\.stringValue) ?? []
        if listed.isEmpty || listed.count != json.arrayValue?.count {
            complain(pointer, "must list the platform's words")
        }
        for word in listed where words[word] == nil { complain(pointer, "lists `\(word)`, which `types` does not") }
        return listed
    }
}

extension DataMember.Kind {
    fileprivate func allows(_ literal: JSON) -> Bool {
        let text = literal.stringValue
        switch self {
        case .text: return text.map { EventLimits.text.contains($0.utf8.count) } ?? false
        case .oneOf(let words): return text.map(words.contains) ?? false
        case .share: return DataMember.share(literal) != nil
        case .time: return text.flatMap { RFC3339.parse($0) } != nil
        case .estimate: return literal.isNull || text.flatMap { RFC3339.parse($0) } != nil
        }
    }
}
