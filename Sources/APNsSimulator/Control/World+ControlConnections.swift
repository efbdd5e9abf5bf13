internal import JSONText

extension World {
    /// `GET /connections`: those that are open, and the last ones that closed, in the order in which they were made.
    func connectionList(_ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        let page = try request.page()
        return try Self.get(request) {
            let all = (closedConnections + connections.values).sorted { $0.number < $1.number }
            let wanted = all.drop { $0.number <= page.after }.prefix(page.limit)
            let isLast = wanted.last?.number == all.last?.number
            let next: JSON = isLast ? .null : .optional(wanted.last.map { String($0.number) })
            return .json(["items": .array(wanted.map(Self.json)), "next": next])
        }
    }

    private static func json(_ connection: Connection) -> JSON {
        [
            "number": .integer(connection.number),
            "environment": .string(connection.key.environment.rawValue),
            "service": .string(connection.key.service.rawValue),
            "openedAt": .string(RFC3339.format(connection.openedAt)),
            "closedAt": .optional(connection.closedAt.map(RFC3339.format)),
            "requests": .integer(connection.requests),
            "waiting": .integer(connection.waiting),
            "pings": .integer(connection.pings),
            "certificate": .bool(connection.hasCertificate),
        ]
    }

    /// `POST /connections/{number}/ACTION`, the number `all` meaning every open one.
    mutating func act(
        _ word: String,
        onConnection number: String,
        _ request: ControlRequest
    ) throws(ControlProblem) -> ControlReply {
        guard request.method == "POST" else { throw Self.notAllowed(request) }
        let keys = connections.values.filter { number == "all" || String($0.number) == number }.map(\.key)
        guard !keys.isEmpty || number == "all" else { throw ControlProblem(404, "no open connection of this number") }
        var form = try Form(request.json())
        guard let action = try ConnectionAction(word, &form) else {
            let words = ConnectionAction.words.joined(separator: ", ")
            throw ControlProblem(404, "no such action; there are \(words)")
        }
        try form.end()
        for key in keys { command(action, to: key) }
        return .noContent
    }
}
