internal import JSONText

/// Types as JSON, for `POST /apps`: a contract as its file has it, or `{"attributesType": "RideAttributes", "attributes": {"orderID": "string"}, "state":
/// {"status": ["open", "done"], "arrival": "number?", "driver": {"name": "string"}}, "orderKey": "orderID"}`.
///
/// A type is `string`, `integer`, `number`, `boolean`, a list of words, `{"listOf": type}`, an object of members, or any
/// of these as `{"optional": type}`; a question mark after a name says optional too.
extension ActivitySchema {
    init(_ form: Form) throws(ControlProblem) {
        var form = form
        if let contract = try form.take("contract", .contract) {
            self = contract
        } else {
            self.init(
                attributesType: try form.need("attributesType", .name),
                attributes: try form.need("attributes", .shape),
                state: try form.need("state", .shape),
                orderKey: try form.take("orderKey", .name) ?? "order",
                incarnationKey: try form.take("incarnationKey", .name) ?? "incarnation",
                phaseKey: try form.take("phaseKey", .name) ?? "phase",
                revisionKey: try form.take("revisionKey", .name) ?? "revision"
            )
        }
        firstBuild = try form.take("fromBuild", .version("2.10"))
        try form.end()
    }
}

extension Rule where Value == ActivitySchema {
    fileprivate static let contract = Rule("a contract, as docs/contracts.md describes them") {
        ActivitySchema(contract: $0)
    }
}

extension Rule where Value == ContentShape {
    fileprivate static let shape = Rule(
        "an object of members, each string, integer, number, boolean, a list of words, {listOf}, {optional} or an object"
    ) { ContentShape($0) }
}

extension ContentShape {
    fileprivate init?(_ json: JSON) {
        guard let members = json.objectValue?.members else { return nil }
        var fields: [Field] = []
        for member in members {
            guard let field = Field(member.name, described: member.value) else { return nil }
            fields.append(field)
        }
        self.init(fields)
    }
}

extension ContentShape.Field {
    fileprivate init?(_ name: String, described json: JSON) {
        if let inner = json["optional"] {
            guard let kind = ContentShape.Kind(inner) else { return nil }
            self.init(name, kind, isOptional: true)
        } else if let word = json.stringValue, word.hasSuffix("?") {
            guard let kind = ContentShape.Kind(.string(String(word.dropLast()))) else { return nil }
            self.init(name, kind, isOptional: true)
        } else {
            guard let kind = ContentShape.Kind(json) else { return nil }
            self.init(name, kind)
        }
    }
}

extension ContentShape.Kind {
    fileprivate init?(_ json: JSON) {
        switch json {
        case .string("string"): self = .string
        case .string("integer"): self = .integer
        case .string("number"): self = .number
        case .string("boolean"): self = .boolean
        case .array(let words):
            let texts = words.compactMap(\.stringValue)
            guard texts.count == words.count, !texts.isEmpty else { return nil }
            self = .words(texts)
        case .object(let object):
            if let element = object["listOf"] {
                guard let kind = Self(element) else { return nil }
                self = .list(kind)
            } else {
                guard let shape = ContentShape(json) else { return nil }
                self = .object(shape)
            }
        case .string, .number, .bool, .null: return nil
        }
    }
}
