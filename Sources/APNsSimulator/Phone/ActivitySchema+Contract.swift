package import JSONText

/// The app's own type as a contract file describes it (docs/contracts.md): the phone decodes what the file says of the
/// Swift type, whatever Doorstep makes of the same file.
extension ActivitySchema {
    /// Nil when the file says too little of the type. `firstBuild` is the first build of the app that knows it; nil: all
    /// do.
    package init?(contract json: JSON, firstBuild: String? = nil) {
        guard let attributesType = json["attributesType"]?.stringValue,
            let attributes = json["attributes"].flatMap(ContentShape.init(contract:)),
            let state = json["state"].flatMap(ContentShape.init(contract:))
        else { return nil }
        func key(_ field: String, in object: JSON?) -> String? {
            object?.objectValue?.members.first { $0.value["from"]?.stringValue == field }?.name
        }
        self.init(
            attributesType: attributesType,
            attributes: attributes,
            state: state,
            orderKey: key("order", in: json["attributes"]) ?? "order",
            incarnationKey: key("incarnation", in: json["attributes"]) ?? "incarnation",
            phaseKey: key("phase", in: json["state"]) ?? "phase",
            revisionKey: key("revision", in: json["state"]) ?? "revision",
            firstBuild: firstBuild
        )
    }
}

extension ContentShape {
    fileprivate init?(contract json: JSON) {
        guard let members = json.objectValue?.members else { return nil }
        let fields = members.compactMap { Field(contract: $0.name, $0.value) }
        guard fields.count == members.count else { return nil }
        self.init(fields)
    }
}

extension ContentShape.Field {
    fileprivate init?(contract name: String, _ json: JSON) {
        guard let spelling = json["type"]?.stringValue else { return nil }
        let kind: ContentShape.Kind
        switch spelling.hasSuffix("?") ? String(spelling.dropLast()) : spelling {
        case "String":
            let words = json["cases"]?.arrayValue?.compactMap(\.stringValue)
            kind = words.map { .words($0) } ?? .string
        case "Int", "Int64": kind = .integer
        case "Double", "TimeInterval", "Date": kind = .number
        case "Bool": kind = .boolean
        case _: return nil
        }
        self.init(name, kind, isOptional: spelling.hasSuffix("?"))
    }
}
