internal import JSONText

extension FeedItem {
    /// A CloudEvent in structured mode.
    var json: JSON {
        var event: JSONObject = [
            "specversion": "1.0", "id": .string(id), "source": .string(source), "type": .string(type),
            "subject": .string(subject), "time": .time(occurredAt ?? recordedAt), "recordedtime": .time(recordedAt),
            "sequence": .string(sequence),
        ]
        event["sourcetype"] = kept["sourcetype"]
        event["causationid"] = kept["causationid"]
        event["traceparent"] = traceParent.map(JSON.string)
        event["data"] = kept["data"]
        return .object(event)
    }

    /// The lane and the position in it, padded: as texts, those of an order are in the order of the log.
    private var sequence: String { "\(Self.padded(lane, 5))-\(Self.padded(pos, 19))" }

    private static func padded(_ number: some BinaryInteger, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// A message of an event stream. A type that would break its line goes without: it stands in the event too.
    var message: String {
        let breaks = type.unicodeScalars.contains { $0 == "\n" || $0 == "\r" }
        return (breaks ? "" : "event: \(type)\n") + "data: \(String(decoding: json.serialized(), as: UTF8.self))\n"
    }
}
