private import ActivityContract
import Tracking

/// The words of an alert. Complete without buttons: a watch or a car shows nothing else.
struct AlertText: Hashable {
    let title: String
    let body: String

    /// What the phone shows at most without cutting, in letters.
    static let titleLimit = 40
    static let bodyLimit = 110
    /// Leaves room for the sentence around a name.
    private static let nameLimit = 40
    /// Arrival times further away than this are not counted in minutes.
    private static let longestWait: Int64 = 120

    /// nil when the push alerts to nothing. A start always alerts: without one iOS drops it (contract 3.4). So does an end
    /// that takes the card away because the app has no word for it: nothing else would tell.
    init?(_ push: OutgoingPush, removesCard: Bool, locales: [String]) {
        let intention = push.intention
        let language = Language(device: intention.settings.locale, app: locales)
        let words = AlertTemplates.of(language)
        let order = Self.name(intention.attributes.restaurant).map { words.orderFrom($0) } ?? words.order
        let courier = Self.name(intention.content.courierName).map { words.courierNamed($0) } ?? words.courier
        let alerts = intention.alerts
        if alerts.contains(.courierWaiting) {
            self.init(words.courierWaiting, courier)
        } else if alerts.contains(.cancelled) {
            self.init(words.cancelled, order)
        } else if alerts.contains(.attemptFailed) {
            self.init(words.attemptFailed, order)
        } else if alerts.contains(.start) || intention.verb == .start {
            switch intention.content.phase {
            case .placed: self.init(words.placed, order, Self.arrival(push, language))
            case .accepted: self.init(words.accepted, order, Self.arrival(push, language))
            case .onTheWay, .delivered, .cancelled, .failed, .returned:
                self.init(words.onTheWay, order, Self.arrival(push, language))
            case .courierWaiting: self.init(words.courierWaiting, courier)
            }
        } else if removesCard {
            switch intention.content.phase {
            case .delivered: self.init(words.delivered, order)
            case .cancelled: self.init(words.cancelled, order)
            case .failed: self.init(words.failed, order)
            case .returned: self.init(words.returned, order)
            case .placed, .accepted, .onTheWay, .courierWaiting: return nil
            }
        } else {
            return nil
        }
    }

    private init(_ sentence: AlertTemplates.Sentence, _ subject: String, _ more: String? = nil) {
        let body = [sentence.body(subject), more].compactMap { $0 }.joined(separator: " ")
        self.title = ForeignText.cut(sentence.title, letters: Self.titleLimit)
        self.body = ForeignText.cut(body, letters: Self.bodyLimit)
    }

    /// nil when the arrival time is unknown, past or too far away to be counted.
    private static func arrival(_ push: OutgoingPush, _ language: Language) -> String? {
        guard let eta = push.intention.content.eta else { return nil }
        let minutes = MomentForm.minutes(until: eta.seconds, from: push.now.seconds)
        guard (1...longestWait).contains(minutes) else { return nil }
        return AlertTemplates.of(language).arrival(language.minutes(minutes))
    }

    private static func name(_ text: String?) -> String? {
        text.map { ForeignText.isolated(ForeignText.cut(ForeignText.short($0), letters: nameLimit)) }
    }
}
