package import JSONText

/// Turns the webhooks of a delivery platform, as they are, into Doorstep's events: format `doorstep.adapter.v1`
/// (docs/adapters.md).
///
/// A platform's webhooks need no state: the same webhook always becomes the same events under the same ids, so that a
/// repeated one is a duplicate.
package struct Adapter: Sendable {
    package let name: String
    let signature: Signature
    /// The query item of a GET request that is to be answered with its value; nil where the platform asks nothing.
    let handshake: String?
    let rules: [EventRule]

    /// Whether webhooks are believed only with a secret.
    package var needsSecret: Bool { signature.needsSecret }

    /// What to answer to the platform's question whether somebody listens at this address; nil when it is none.
    package func challenge(query: [(name: String, value: String)]) -> [UInt8]? {
        guard let handshake, let asked = query.first(where: { $0.name == handshake }) else { return nil }
        let answer = Array(asked.value.utf8)
        return (1...Self.longestChallenge).contains(answer.count) ? answer : nil
    }

    /// More than any platform sends; what comes back to a stranger stays short.
    static let longestChallenge = 256

    /// Whether the webhook comes from one who knows one of the secrets. Takes the same time whichever it is, and whether
    /// or not it is any.
    package func isAuthentic(_ request: HookRequest, secrets: [String]) -> Bool {
        signature.isValid(request, secrets: secrets)
    }

    /// The events of a webhook, as CloudEvents in structured mode; none where the platform tells what concerns no order.
    ///
    /// All or nothing: what is wrong is told at once. Whether the webhook is authentic was asked before.
    package func events(from request: HookRequest, source: String) throws(AdapterError) -> [JSONObject] {
        let body = Place(body: try signature.document(of: request.body))
        var builder = EventBuilder(adapter: name, source: source)
        var count = 0
        for rule in rules {
            let places = rule.each.map { body.places(at: $0, limit: EventLimits.events + 1) } ?? [body]
            count += places.count
            guard count <= EventLimits.events else {
                let pointer = rule.each.map { body.pointer(to: $0) } ?? ""
                let detail = "more than \(EventLimits.events) events"
                throw AdapterError(code: .tooManyEvents, problems: [.init(pointer: pointer, detail: detail)])
            }
            for place in places { builder.apply(rule, at: place) }
        }
        guard builder.problems.isEmpty else { throw AdapterError(code: .noEvent, problems: builder.problems) }
        return builder.events
    }
}
