private import ActivityContract
private import JSONText
import Tracking

/// The body of a push (contract 3.1). Dates of `aps` are Unix seconds; those of the card are as its contract has them.
struct Payload {
    let bytes: [UInt8]

    init(_ push: OutgoingPush, in app: AppRendering) {
        bytes = push.intention.verb == .alert ? Self.alert(push, in: app) : Self.card(push, in: app)
    }

    private static func card(_ push: OutgoingPush, in app: AppRendering) -> [UInt8] {
        let intention = push.intention
        let contract = app.contract(for: intention)
        let card = CanonicalCard(push)
        let removesCard = intention.verb == .end && contract.removes(card.state.phase)
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.name("aps")
        json.beginObject()
        json.member("timestamp", push.stamp)
        json.member("event", intention.verb.name)
        if intention.verb == .start {
            json.member("attributes-type", intention.settings.attributesType ?? contract.attributesType)
            json.name("attributes")
            contract.writeAttributes(of: card, to: &json)
            if let channel = intention.channel {
                json.member("input-push-channel", channel.value)
            } else {
                // The card is issued an update token of its own (iOS 18 and later; earlier ones do it unasked).
                json.member("input-push-token", 1)
            }
        }
        if intention.verb == .end { json.member("dismissal-date", Self.dismissalDate(push, atOnce: removesCard)) }
        if !removesCard {
            json.name("content-state")
            contract.writeState(of: card, to: &json)
            // A stale date that is past would keep the card from being shown at all (field case P58).
            if intention.staleAfter > .zero { json.member("stale-date", (push.now + intention.staleAfter).seconds) }
        }
        if let relevance = Self.relevance(intention.content.phase) { json.member("relevance-score", relevance) }
        if let alert = AlertText(push, removesCard: removesCard, locales: app.locales) {
            json.alert(alert, sound: "default")
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }

    /// A moment that is past takes the card away at once, none would leave it for four hours (contract 3.5).
    private static func dismissalDate(_ push: OutgoingPush, atOnce: Bool) -> Int64 {
        guard !atOnce, let stay = push.intention.dismissAfter, stay > .zero else { return push.now.seconds - 60 }
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
    /// A Live Activity's alert has its sound inside (contract 3.4).
    mutating func alert(_ alert: AlertText, sound: String? = nil) {
        name("alert")
        beginObject()
        member("title", alert.title)
        member("body", alert.body)
        if let sound { member("sound", sound) }
        endObject()
    }

    mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    fileprivate mutating func member(_ name: String, _ value: Int64) {
        self.name(name)
        integer(value)
    }
}
