extension Phone {
    /// What decides over a push beside the phone itself.
    struct Conditions: Sendable {
        /// The `ActivityAttributes` types that the phone's build of the app knows, the oldest first.
        let schemas: [ActivitySchema]
        let knobs: Knobs.Phones

        func schema(_ attributesType: String?) -> ActivitySchema? {
            schemas.first { $0.attributesType == attributesType }
        }
    }

    func rules(_ conditions: Conditions) -> PhoneRules { PhoneRules(preset, conditions.knobs) }
}
