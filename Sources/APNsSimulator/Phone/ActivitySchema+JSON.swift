package import JSONText

/// Types as JSON, for `POST /apps`: a contract as its file has it, or `{"attributesType": "RideAttributes", "attributes": {"orderID": "string"}, "state":
/// {"status": ["open", "done"], "arrival": "number?", "driver": {"name": "string"}}, "orderKey": "orderID"}`.
///
/// A type is `string`, `integer`, `number`, `boolean`, a list of words, `{"listOf": type}`, an object of members, or any
/// of these as `{"optional": type}`; a question mark after a name says optional too.
extension ActivitySchema {
    /// Nil when the description does not make sense.
    package init?(_ json: JSON) {
        if let contract = json["contract"] {
            self.init(contract: contract, firstBuild: json["fromBuild"]?.stringValue)
            return
        }
        guard let attributesType = json["attributesType"]?.stringValue,
            let attributes = json["attributes"].flatMap(ContentShape.init),
            let state = json["state"].flatMap(ContentShape.init)
        else { return nil }
        self.init(
            attributesType: attributesType,
            attributes: attributes,
            state: state,
            orderKey: json["orderKey"]?.stringValue ?? "order",
            incarnationKey: json["incarnationKey"]?.stringValue ?? "incarnation",
            phaseKey: json["phaseKey"]?.stringValue ?? "phase",
            revisionKey: json["revisionKey"]?.stringValue ?? "revision",
            firstBuild: json["fromBuild"]?.stringValue
        )
    }
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
