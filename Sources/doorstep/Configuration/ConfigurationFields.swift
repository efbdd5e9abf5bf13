internal import JSONText

/// Reads the members of one object of a configuration file; gathers what is wrong, each with its JSON pointer.
struct ConfigurationFields {
    private let object: JSONObject
    private let pointer: String
    private var asked: Set<String> = []
    private(set) var problems: [String] = []

    init(_ json: JSON, at pointer: String) {
        self.pointer = pointer
        object = json.objectValue ?? JSONObject()
        if json.objectValue == nil { problems.append("\(pointer.isEmpty ? "the whole" : pointer) must be an object") }
    }

    mutating func complain(_ name: String, _ what: String) { problems.append("\(pointer)/\(name) \(what)") }

    mutating func take(_ others: [String]) { problems += others }

    func pointer(to name: String) -> String { "\(pointer)/\(name)" }

    /// Everything wrong, members that mean nothing included; to be asked last.
    var allProblems: [String] {
        problems
            + object.members.filter { !asked.contains($0.name) }.map { "\(pointer)/\($0.name) means nothing here" }
    }

    /// Whether the member is there, be it null.
    func has(_ name: String) -> Bool { object[name] != nil }

    /// Whether the member is there and null, where that is a value.
    mutating func isNull(_ name: String) -> Bool {
        asked.insert(name)
        return object[name]?.isNull == true
    }

    /// A member that is there and not null.
    mutating func value(_ name: String) -> JSON? {
        asked.insert(name)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    mutating func text(_ name: String) -> String? {
        guard let value = value(name) else { return nil }
        if let text = value.stringValue, !text.isEmpty { return text }
        complain(name, "must be a text")
        return nil
    }

    /// A text that must be there; "" after complaining.
    mutating func needed(_ name: String) -> String {
        let text = text(name)
        if text == nil, !has(name) { complain(name, "is needed") }
        return text ?? ""
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String, _: Word.Type) -> Word?
    where Word.RawValue == String {
        guard let text = text(name) else { return nil }
        if let word = Word(rawValue: text) { return word }
        complain(name, "must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        return nil
    }

    mutating func bool(_ name: String) -> Bool? {
        guard let value = value(name) else { return nil }
        if value.boolValue == nil { complain(name, "must be true or false") }
        return value.boolValue
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int64>) -> Int? {
        guard let value = value(name) else { return nil }
        if let number = value.int64Value, range.contains(number) { return Int(number) }
        complain(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    mutating func texts(_ name: String) -> [String]? {
        guard let value = value(name) else { return nil }
        let texts = value.arrayValue?.compactMap(\.stringValue) ?? []
        if texts.count == value.arrayValue?.count { return texts }
        complain(name, "must be a list of texts")
        return nil
    }

    mutating func objects(_ name: String) -> [(json: JSON, pointer: String)] {
        guard let value = value(name) else { return [] }
        guard let items = value.arrayValue else {
            complain(name, "must be a list")
            return []
        }
        return items.enumerated().map { ($0.element, "\(pointer)/\(name)/\($0.offset)") }
    }
}
