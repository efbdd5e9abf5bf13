private import ActivityContract
import Tracking

/// The words of an alert. Complete without buttons: a watch or a car shows nothing else.
struct AlertText: Hashable {
    let title: String
    let body: String

    /// What the phone shows at most without cutting, in letters.
    static let titleLimit = 40
    static let bodyLimit = 110

    /// nil when the push alerts to nothing. A start always alerts: without one iOS drops it (contract 3.4).
    init?(_ push: OutgoingPush) {
        let alerts = push.intention.alerts
        let words = AlertTemplates.of(locale: push.intention.settings.locale)
        let restaurant = push.intention.attributes.restaurant
        let courier = push.intention.content.courierName
        if alerts.contains(.courierWaiting) {
            self = words.courierWaiting(courier)
        } else if alerts.contains(.cancelled) {
            self = words.cancelled(restaurant)
        } else if alerts.contains(.attemptFailed) {
            self = words.attemptFailed(restaurant)
        } else if alerts.contains(.start) || push.intention.verb == .start {
            self = words.start(push.intention.content.phase, restaurant)
        } else {
            return nil
        }
    }

    init(_ title: String, _ body: String) {
        self.title = ForeignText.cut(title, letters: Self.titleLimit)
        self.body = ForeignText.cut(body, letters: Self.bodyLimit)
    }
}
