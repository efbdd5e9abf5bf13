/// One thing that is wrong with a contract: where, which rule, and what to do.
package struct ContractProblem: Hashable, Sendable, CustomStringConvertible {
    /// The rules of contracts (docs/contracts.md). Closed: a caller's switch needs no `default`.
    package enum Rule: String, Hashable, Sendable, CaseIterable {
        /// The text is not JSON, or a value is of another kind.
        case malformed
        case missingMember
        case unknownMember
        /// `id` names the contract for good, and `doorstep.v1` is taken.
        case contractID
        /// APNs cannot know the type, and the phone drops a push with another spelling in silence (contract 3.1).
        case attributesType
        /// Without the order in an attribute the app cannot tell whose card a push has started.
        case orderUnmapped
        case incarnationUnmapped
        case unknownField
        case unknownForm
        /// The form does not go with the field or the property's type.
        case unfitForm
        /// A value is not of the property's type, or not one of its cases.
        case unfitValue
        /// Attributes never change, minutes do.
        case minutesInAttributes
        /// A property that is not optional needs something to say while nothing is known (contract 3.6.5).
        case unknownUncovered
        /// 0 is a moment or "now", never unknown.
        case zeroForUnknown
        case unfitHold
        case phaseUnmapped
        /// A card goes only with an order that has ended.
        case removedAlive
        /// Cancelled, failed or returned would look delivered.
        case successWord
        /// Steps lead from placed to delivered and never back.
        case unfitSteps
        /// Apple takes 4096 bytes (contract 3.3).
        case tooLarge
    }

    /// A JSON pointer into the contract; empty for the whole of it.
    package let pointer: String
    package let rule: Rule
    /// What is wrong and what to do, one sentence.
    package let remedy: String

    package init(_ pointer: String, _ rule: Rule, _ remedy: String) {
        self.pointer = pointer
        self.rule = rule
        self.remedy = remedy
    }

    package var description: String {
        "\(pointer.isEmpty ? "the whole" : pointer) (\(rule.rawValue)): \(remedy)"
    }
}

/// Everything that is wrong with a contract, told at once.
package struct ContractError: Error, Hashable, Sendable {
    package let problems: [ContractProblem]
}
