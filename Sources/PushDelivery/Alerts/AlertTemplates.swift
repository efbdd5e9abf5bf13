/// The sentences of one language (a file each). Names stand in quotes or after a noun, so that nothing needs to agree
/// with them in gender or case.
struct AlertTemplates {
    struct Sentence {
        let title: String
        /// Takes who or what the sentence is about.
        let body: @Sendable (String) -> String

        init(_ title: String, _ body: @escaping @Sendable (String) -> String) {
            self.title = title
            self.body = body
        }
    }

    let order: String
    let orderFrom: @Sendable (_ restaurant: String) -> String
    let courier: String
    let courierNamed: @Sendable (String) -> String
    /// Follows the sentence of a start when an arrival time is known.
    let arrival: @Sendable (_ minutes: String) -> String

    // About the order.
    let placed: Sentence
    let accepted: Sentence
    let onTheWay: Sentence
    let cancelled: Sentence
    let attemptFailed: Sentence
    // About the courier.
    let courierWaiting: Sentence
    // For cards that go without having shown the end.
    let delivered: Sentence
    let failed: Sentence
    let returned: Sentence

    static func of(_ language: Language) -> AlertTemplates {
        switch language {
        case .english: english
        case .russian: russian
        case .polish: polish
        case .croatian: croatian
        }
    }
}
