/// Something the virtual app wants to tell Doorstep. What exactly it says is taken from the phone when it is sent, so a
/// late call carries the newest state.
enum AppCall: Hashable, Sendable, Codable {
    /// `PUT /v1/devices/{device}`.
    case register
    /// `PUT /v1/orders/{order}/activities/{activity}` of a card.
    case activity(card: Int)
    /// `POST …/reports` of a card's first terminal state.
    case report(card: Int)
    /// `POST /v1/devices/{device}/running`.
    case running
    /// `DELETE /v1/devices/{device}`.
    case leave
}
