internal import JSONText

/// One request that the simulator received for a phone.
struct PushRecord: Sendable {
    let phone: String
    let order: String?
    let incarnation: Int64?
    let event: String
    let status: Int
    /// Arrival, microseconds since 1970.
    let received: Int64
    /// The payload's timestamp, in seconds.
    let timestamp: Int64?
    /// The order's revision that the content shows.
    let revision: Int64?
    let bytes: Int
    /// Why the phone does not show it; nil when it does.
    let why: String?

    /// Nil when the request was for no known phone.
    init?(_ json: JSON) {
        guard let phone = json["phone"]?.stringValue, let event = json["event"]?.stringValue else { return nil }
        self.phone = phone
        self.event = event
        order = json["order"]?.stringValue
        incarnation = json["incarnation"]?.int64Value
        status = Int(json["status"]?.int64Value ?? 0)
        received = json["receivedMicroseconds"]?.int64Value ?? 0
        timestamp = json["timestamp"]?.int64Value
        revision = json["revision"]?.int64Value
        bytes = Int(json["bytes"]?.int64Value ?? 0)
        why = json["why"]?.stringValue
    }

    var isAccepted: Bool { status == 200 }
}

/// The cards of one order on one phone.
struct PairCards: Sendable {
    struct Card: Sendable {
        let incarnation: Int64?
        let isEnded: Bool
        let phase: String?
    }

    let pair: PhonePlan.Pair
    let cards: [Card]

    init?(_ json: JSON) {
        guard let phone = json["phone"]?.stringValue, let order = json["order"]?.stringValue else { return nil }
        pair = PhonePlan.Pair(phone: phone, order: order)
        cards = (json["cards"]?.arrayValue ?? []).map { card in
            Card(
                incarnation: card["incarnation"]?.int64Value,
                isEnded: card["ended"]?.boolValue ?? false,
                phase: card["phase"]?.stringValue
            )
        }
    }
}
