internal import JSONText

/// An alert as the phone shows it, of a notification or of a card (Apple, "Generating a remote notification").
struct PhoneAlert: Sendable, Codable {
    /// Arrival by the phones' clock, microseconds.
    let at: Int64
    let title: String?
    let body: String?
    /// A newer alert of the same takes its place.
    let collapseID: String?

    /// What cannot be read says nothing.
    init(_ payload: [UInt8], collapseID: String?, at now: Int64) {
        self.init((try? JSON.parse(payload))?["aps"]?["alert"], collapseID: collapseID, at: now)
    }

    init(_ alert: JSON?, collapseID: String? = nil, at now: Int64) {
        at = now
        self.collapseID = collapseID
        title = Self.text(alert?["title"])
        body = Self.text(alert?["body"]) ?? alert?.stringValue
    }

    /// A text, or the name of one that the app has in the phone's language.
    private static func text(_ json: JSON?) -> String? { json?.stringValue ?? json?["loc-key"]?.stringValue }

    var isReadable: Bool { title != nil || body != nil }
}
