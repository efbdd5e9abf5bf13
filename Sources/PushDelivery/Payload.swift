private import ActivityContract
private import JSONText
import Tracking

/// The body of a push (contract 3.1). Dates of `aps` are Unix seconds; so are those of `doorstep.v1`.
struct Payload {
    let bytes: [UInt8]

    init(_ push: OutgoingPush) {
        let intention = push.intention
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.name("aps")
        json.beginObject()
        json.member("timestamp", push.stamp)
        json.member("event", intention.verb.name)
        switch intention.verb {
        case .start:
            json.member("attributes-type", intention.settings.attributesType ?? DoorstepAttributes.typeName)
            json.name("attributes")
            json.attributes(push)
            // The card is issued an update token of its own (iOS 18 and later; earlier ones do it unasked).
            json.member("input-push-token", 1)
        case .update:
            break
        case .end:
            json.member("dismissal-date", Self.dismissalDate(push))
        }
        json.name("content-state")
        json.state(intention)
        json.member("stale-date", (push.now + intention.staleAfter).seconds)
        if let relevance = Self.relevance(intention.content.phase) { json.member("relevance-score", relevance) }
        if let alert = AlertText(push) { json.alert(alert) }
        json.endObject()
        json.endObject()
        bytes = json.bytes
    }

    /// A moment that is past takes the card away at once, none would leave it for four hours (contract 3.5).
    private static func dismissalDate(_ push: OutgoingPush) -> Int64 {
        guard let stay = push.intention.dismissAfter, stay > .zero else { return push.now.seconds - 60 }
        return (push.now + stay).seconds
    }

    /// Which of several cards the phone shows first (engine rules, section 5); an ended one does not compete.
    private static func relevance(_ phase: Phase) -> Int64? {
        switch phase {
        case .placed: 25
        case .accepted: 50
        case .onTheWay: 75
        case .courierWaiting: 100
        case .delivered, .cancelled, .failed, .returned: nil
        }
    }
}

extension JSONWriter {
    fileprivate mutating func attributes(_ push: OutgoingPush) {
        let attributes = push.intention.attributes
        beginObject()
        member("order", push.order.value)
        member("incarnation", Int64(push.incarnation))
        member("displayNumber", attributes.displayNumber.map { ForeignText.short($0) })
        member("restaurant", attributes.restaurant.map { ForeignText.short($0) })
        member("promisedAt", attributes.promisedAt?.seconds)
        endObject()
    }

    fileprivate mutating func state(_ intention: Intention) {
        let content = intention.content
        beginObject()
        member("phase", content.phase.name)
        member("eta", content.eta?.seconds)
        member("late", flag: content.isLate)
        member("stale", flag: content.isStale)
        member("courier", content.courierName.map { ForeignText.short($0) })
        member("attemptFailed", flag: content.attemptFailed)
        member("pendingCommand", String?.none)
        member("asOf", intention.asOf.seconds)
        member("revision", Int64(intention.orderRevision))
        endObject()
    }

    fileprivate mutating func alert(_ alert: AlertText) {
        name("alert")
        beginObject()
        member("title", alert.title)
        member("body", alert.body)
        member("sound", "default")
        endObject()
    }

    fileprivate mutating func member(_ name: String, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    fileprivate mutating func member(_ name: String, _ value: Int64?) {
        self.name(name)
        if let value { integer(value) } else { null() }
    }

    fileprivate mutating func member(_ name: String, flag value: Bool) {
        self.name(name)
        bool(value)
    }
}
