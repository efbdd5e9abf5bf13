/// What the person does about the system's question whether the app may show Live Activities, which it asks on every
/// pushed card (contract 35, 36, 4.4.2).
package enum Prompt: String, Sendable, CaseIterable, Codable {
    /// Taps Allow on each card at once.
    case allowed
    /// Tapped Always Allow long ago: nothing is asked.
    case always
    /// Never answers: the card keeps its first state and has no update token. Left by `allow`, `allow-always`, `deny`.
    case ignored
    /// Taps Don't Allow: the card goes, and the app's Live Activities are off. Left by `enable`.
    case denied

    /// Whether a card gets its update token without anything more.
    var allows: Bool { self == .allowed || self == .always }
}
