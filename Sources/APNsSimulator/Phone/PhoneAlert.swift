private import JSONText

/// An ordinary alert as the phone shows it (Apple, "Generating a remote notification").
struct PhoneAlert: Sendable {
    /// Arrival by the phones' clock, microseconds.
    let at: Int64
    let title: String?
    let body: String?
    /// A newer alert of the same takes its place.
    let collapseID: String?

    /// What cannot be read says nothing.
    init(_ payload: [UInt8], collapseID: String?, at now: Int64) {
        at = now
        self.collapseID = collapseID
        let alert = (try? JSON.parse(payload))?["aps"]?["alert"]
        title = alert?["title"]?.stringValue
        body = alert?["body"]?.stringValue ?? alert?.stringValue
    }

    var isReadable: Bool { title != nil || body != nil }
}
