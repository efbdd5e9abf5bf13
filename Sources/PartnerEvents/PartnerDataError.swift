/// Why the members of an event cannot be read.
package struct PartnerDataError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case missingMember
        case badValue
    }

    package let code: Code
    /// The member concerned, without its value.
    package let member: String

    package var description: String {
        switch code {
        case .missingMember: "`\(member)` is missing"
        case .badValue: "`\(member)` cannot be read"
        }
    }
}
