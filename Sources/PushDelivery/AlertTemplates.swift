private import ActivityContract
import Tracking

/// The sentences of one language. Another language is another value of this type, chosen in `of(locale:)`.
struct AlertTemplates {
    let start: @Sendable (_ phase: Phase, _ restaurant: String?) -> AlertText
    let courierWaiting: @Sendable (_ courier: String?) -> AlertText
    let cancelled: @Sendable (_ restaurant: String?) -> AlertText
    let attemptFailed: @Sendable (_ restaurant: String?) -> AlertText

    /// The templates of a device's locale; English where its language has none.
    static func of(locale: String?) -> AlertTemplates { english }

    private static let english = AlertTemplates(
        start: { phase, restaurant in
            switch phase {
            case .placed:
                AlertText("Order placed", "\(order(from: restaurant)) has been placed.")
            case .accepted:
                AlertText("Order accepted", "\(order(from: restaurant)) is being prepared.")
            case .onTheWay, .delivered, .cancelled, .failed, .returned:
                AlertText("On the way", "\(order(from: restaurant)) is on its way.")
            case .courierWaiting:
                AlertText("Your courier is here", "\(order(from: restaurant)) is at the door.")
            }
        },
        courierWaiting: { courier in
            AlertText("Your courier is here", "\(name(courier) ?? "Your courier") is waiting at the door.")
        },
        cancelled: { restaurant in
            AlertText("Order cancelled", "\(order(from: restaurant)) was cancelled.")
        },
        attemptFailed: { restaurant in
            AlertText("Delivery attempt failed", "\(order(from: restaurant)) could not be handed over.")
        }
    )

    private static func order(from restaurant: String?) -> String {
        name(restaurant).map { "Your order from \($0)" } ?? "Your order"
    }

    /// A name short enough to leave room for the sentence around it.
    private static func name(_ text: String?) -> String? {
        text.map { ForeignText.isolated(ForeignText.cut(ForeignText.short($0), letters: 40)) }
    }
}
