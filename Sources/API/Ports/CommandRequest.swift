package import JSONText

/// `POST /v1/orders/{order}/commands`: what a customer asks for. It sets, it never toggles: a repeat asks for the same.
package struct CommandRequest: Hashable, Sendable {
    /// Chosen by the caller; the partner's event answers it as `causationid`.
    package var id: String
    package var command: String
    /// For the partner; no rule reads them.
    package var arguments: JSONObject

    package init(id: String, command: String, arguments: JSONObject) {
        self.id = id
        self.command = command
        self.arguments = arguments
    }
}

/// What became of a customer's request.
package enum CommandOutcome: Hashable, Sendable {
    /// 202: it is pending until the partner answers, or a while has passed.
    case requested
    /// 202: the same request stands already.
    case repeated
    /// 409 `event-id-reused`: the id stands for another request.
    case idReused
    /// 404.
    case unknownOrder
}
