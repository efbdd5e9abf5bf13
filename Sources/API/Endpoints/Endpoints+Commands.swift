internal import HTTPServer
internal import JSONText
internal import Tracking

extension Endpoints {
    func postCommand(_ call: Call) async throws(Problem) -> HTTPResponse {
        let order = try call.order
        let caller = try call.caller
        let command = try call.fields { CommandRequest(&$0) }
        try await require(order, for: caller)
        let outcome = try await asking { () async throws(Unavailable) in
            try await ports.commands.request(command, on: order, caller: caller)
        }
        switch outcome {
        case .requested, .repeated:
            return .json(
                [
                    "order": .string(order.value), "id": .string(command.id),
                    "duplicate": .bool(outcome == .repeated),
                ],
                status: 202
            )
        case .idReused: throw Problem(.eventIDReused, "Another request of this order has this id; choose a new one.")
        case .unknownOrder: throw Problem(.notFound, "No event of this order was received yet.")
        }
    }
}

extension CommandRequest {
    /// Ours: a request is a word and a few values, no letter.
    private static let argumentBytes = 2_048
    private static let commandBytes = 64

    fileprivate init?(_ fields: inout FieldReader) {
        fields.require("id", "command")
        let id = fields.text("id").value
        let command = fields.text("command", bytes: 1...Self.commandBytes).value
        let arguments = fields.object("arguments").value ?? JSONObject()
        if JSON.object(arguments).serialized().count > Self.argumentBytes {
            fields.fault("arguments", .length, "Must have at most \(Self.argumentBytes) bytes.")
        }
        guard let id, let command else { return nil }
        self.init(id: id, command: command, arguments: arguments)
    }
}
