internal import JSONText

/// How the rows of a table become CloudEvents: map format `doorstep.csv.v1` (docs/replay.md).
struct ColumnMap {
    /// What becomes of a word that `types` does not list.
    enum Otherwise: String {
        /// The row is an error.
        case error
        /// The word itself is the type.
        case keep
    }

    /// One member of `data`.
    struct Member {
        enum Value {
            case template(ColumnTemplate)
            case literal(JSON)
        }

        /// `courier.id` is `["courier", "id"]`.
        let path: [String]
        let value: Value
        /// The words whose rows carry the member; nil for all.
        let from: [String]?
    }

    /// The app the events belong to, unless a flag says otherwise.
    let app: String?
    let source: String
    let id: ColumnTemplate
    let subject: ColumnTemplate
    let time: ColumnTemplate
    let type: ColumnTemplate
    let types: [String: String]
    let otherwise: Otherwise
    let data: [Member]
    let ignored: [String]

    /// What does not fit between this map and a table's header.
    func mismatches(with header: [String]) -> [String] {
        var used = Set([id, subject, time, type].flatMap(\.columns))
        for member in data {
            if case .template(let template) = member.value { used.formUnion(template.columns) }
        }
        let present = Set(header)
        var problems: [String] = []
        if present.count < header.count { problems.append("a column name occurs twice in the header") }
        for column in used.union(ignored).subtracting(present).sorted() {
            problems.append("the map names column `\(column)`, which the file does not have")
        }
        for column in present.subtracting(used).subtracting(ignored).sorted() {
            problems.append("column `\(column)` is neither used nor ignored by the map")
        }
        for column in used.intersection(ignored).sorted() {
            problems.append("column `\(column)` is both used and ignored by the map")
        }
        return problems
    }

    /// What is wrong with a row.
    struct RowProblem: Error {
        let sentence: String
    }

    /// The event of one row.
    func event(of row: ColumnRow) throws(RowProblem) -> FileEvent {
        let word = try required(type, "type", row)
        var event: JSONObject = ["specversion": "1.0", "source": .string(source)]
        event["id"] = .string(try required(id, "id", row))
        event["subject"] = .string(try required(subject, "subject", row))
        if let time = time.filled(from: row) { event["time"] = .string(time) }
        event["type"] = .string(try canonicalType(of: word))
        if !types.isEmpty { event["sourcetype"] = .string(word) }
        let data = members(of: row, word: word)
        if !data.isEmpty { event["data"] = .object(data) }
        guard let mapped = FileEvent(event) else { throw RowProblem(sentence: "no source") }
        return mapped
    }

    private func required(_ template: ColumnTemplate, _ name: String, _ row: ColumnRow) throws(RowProblem) -> String {
        guard let text = template.filled(from: row) else { throw RowProblem(sentence: "`\(name)` comes out empty") }
        return text
    }

    private func canonicalType(of word: String) throws(RowProblem) -> String {
        if let type = types[word] { return type }
        switch otherwise {
        case .keep: return word
        case .error:
            guard types.isEmpty else { throw RowProblem(sentence: "`types` does not list `\(word)`") }
            return word
        }
    }

    private func members(of row: ColumnRow, word: String) -> JSONObject {
        var members = JSONObject()
        for member in data where member.from?.contains(word) ?? true {
            switch member.value {
            case .literal(let value): members.set(value, at: member.path[...])
            case .template(let template):
                guard let text = template.filled(from: row), !isUnknown(text, member) else { continue }
                members.set(.string(text), at: member.path[...])
            }
        }
        return members
    }

    /// Foreign systems write an unknown time as 0 (domain.md 1.2); the API would refuse it.
    private func isUnknown(_ text: String, _ member: Member) -> Bool {
        text == "0" && (member.path == ["eta"] || member.path == ["pickupEta"])
    }
}
