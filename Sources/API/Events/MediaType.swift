/// A `Content-Type` without its parameters, lower case; only the parameter `charset` is looked at.
struct MediaType: Hashable, Sendable {
    let essence: String

    /// nil for an absent header, or one that names another character set than UTF-8.
    init?(_ header: String?) {
        guard let header else { return nil }
        let parts = header.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        essence = parts[0]
        for parameter in parts.dropFirst() where parameter.hasPrefix("charset=") {
            let charset = parameter.dropFirst("charset=".count).filter { $0 != "\"" }
            guard charset == "utf-8" || charset == "us-ascii" else { return nil }
        }
    }

    static let event = "application/cloudevents+json"
    static let eventBatch = "application/cloudevents-batch+json"

    /// `application/json`, or any type built on it.
    var isJSON: Bool { essence == "application/json" || essence.hasSuffix("+json") }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()).lowercased()
    }
}
