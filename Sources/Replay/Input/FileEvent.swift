package import JSONText

/// One event of a file, as it will be posted but for what a replay's settings change.
package struct FileEvent {
    /// The CloudEvent: attributes and `data` in the order of the file or map.
    package var event: JSONObject
    package let id: String
    package let source: String
    /// The order's id.
    package let subject: String
    /// Event time in microseconds since 1970; nil when absent or unreadable. Without an offset it is read as UTC.
    package let time: Int64?

    /// Nil when one of `id`, `source`, `type`, `subject` is missing or empty: such an event belongs to no order.
    init?(_ event: JSONObject) {
        func text(_ name: String) -> String? {
            guard let text = event[name]?.stringValue, !text.isEmpty else { return nil }
            return text
        }
        guard let id = text("id"), let source = text("source"), let subject = text("subject"), text("type") != nil
        else {
            return nil
        }
        self.event = event
        self.id = id
        self.source = source
        self.subject = subject
        time = event["time"]?.stringValue.flatMap { RFC3339.parse($0)?.microseconds }
    }

    /// The customer this event names, if it does.
    package var customer: String? {
        get { event["data"]?["customer"]?.stringValue }
        set {
            var data = event["data"]?.objectValue ?? JSONObject()
            data["customer"] = newValue.map { .string($0) }
            event["data"] = .object(data)
        }
    }
}
