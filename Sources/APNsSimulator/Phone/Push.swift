/// An accepted push on its way to a phone.
struct Push: Sendable, Codable {
    /// Its number in the request log.
    let sequence: Int
    let kind: Recipient.Kind
    let priority: Int
    /// The card an update token belongs to, or that listens to a channel.
    let card: Int?
    /// The only type that its start token starts; nil: every type of the app.
    var startsOnly: String?
    /// Nil when the body means nothing to ActivityKit.
    let payload: ActivityPayload?
    /// What an ordinary notification says; nil when there is nothing to show.
    let alert: PhoneAlert?
    /// Unix seconds; 0 is never stored, nil leaves it to APNs.
    let expiration: Int64?
    /// The update token of the card that this push may start.
    let updateToken: String?
    /// Index of the channel that brought it, or to which the card that it may start is to listen; nil when there is no
    /// such channel.
    let channel: Int?
}

/// What a phone did with a push.
struct Reaction: Sendable {
    var verdict: Verdict
    /// What a decoder complained about.
    var detail: String?
    /// The card that was started or changed.
    var card: Int?
    /// Whether the push has started it.
    var isNewCard = false
    /// The push whose place it took, by its number in the request log.
    var replaced: Int?
    var calls: [AppCall] = []
}
