private import JSONText

extension Contract {
    /// The built-in contract `doorstep.v1`, as `DoorstepAttributes` decodes it.
    package static let doorstep = Contract(
        id: "doorstep.v1",
        attributesType: DoorstepAttributes.typeName,
        attributes: [
            ContractField("order", .text(.order)),
            ContractField("incarnation", .count(.incarnation)),
            ContractField("displayNumber", .text(.displayNumber)),
            ContractField("restaurant", .text(.restaurant)),
            ContractField("promisedAt", .moment(.promisedAt, .unixSeconds)),
        ],
        state: [
            ContractField("phase", .phase(.names)),
            ContractField("eta", .moment(.eta, .unixSeconds)),
            ContractField("late", .flag(.late)),
            ContractField("stale", .flag(.stale)),
            ContractField("courier", .text(.courier)),
            ContractField("attemptFailed", .flag(.attemptFailed)),
            ContractField("pendingCommand", .text(.pendingCommand)),
            ContractField("asOf", .moment(.asOf, .unixSeconds)),
            ContractField("revision", .count(.revision)),
        ]
    )
}

extension PhaseTable {
    /// Doorstep's own names.
    static let names = PhaseTable(
        values: Dictionary(uniqueKeysWithValues: Phase.allCases.map { ($0, .string($0.rawValue)) })
    )
}
