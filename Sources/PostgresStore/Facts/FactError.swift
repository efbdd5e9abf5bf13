internal import JSONText

/// A fact's body does not have the form its type promises; such a fact is parked, never guessed at.
package struct FactError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
        case malformedJSON
        case missingMember
        case badValue
        case unknownType
    }

    package let code: Code
    /// The member concerned, without its value.
    package let member: String

    package init(_ code: Code, _ member: String = "") {
        self.code = code
        self.member = member
    }
}

/// Typed reading of a fact's members; every miss names the member.
struct Members {
    private let object: JSON

    init(_ object: JSON) { self.object = object }

    init(parsing body: [UInt8]) throws(FactError) {
        do {
            object = try JSON.parse(body)
        } catch {
            throw FactError(.malformedJSON)
        }
    }

    func optional(_ name: String) -> JSON? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func required(_ name: String) throws(FactError) -> JSON {
        guard let value = optional(name) else { throw FactError(.missingMember, name) }
        return value
    }

    func text(_ name: String) throws(FactError) -> String {
        guard let value = try required(name).stringValue else { throw FactError(.badValue, name) }
        return value
    }

    func optionalText(_ name: String) -> String? { optional(name)?.stringValue }

    func integer(_ name: String) throws(FactError) -> Int {
        guard let value = try required(name).int64Value else { throw FactError(.badValue, name) }
        return Int(value)
    }

    func optionalInteger(_ name: String) -> Int? { optional(name)?.int64Value.map { Int($0) } }

    func flag(_ name: String) throws(FactError) -> Bool {
        guard let value = try required(name).boolValue else { throw FactError(.badValue, name) }
        return value
    }

    func list(_ name: String) throws(FactError) -> [Members] {
        guard let values = try required(name).arrayValue else { throw FactError(.badValue, name) }
        return values.map { Members($0) }
    }

    func object(_ name: String) throws(FactError) -> Members { Members(try required(name)) }

    /// Member names and values of an object member.
    func entries(_ name: String) throws(FactError) -> [(name: String, value: JSON)] {
        guard let object = try required(name).objectValue else { throw FactError(.badValue, name) }
        return object.members.map { ($0.name, $0.value) }
    }

    /// Whether the member stands there at all, also as null.
    func states(_ name: String) -> Bool { object[name] != nil }
}
