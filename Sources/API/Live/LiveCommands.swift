internal import Crypto
internal import JSONText
internal import PostgresStore
internal import Service
package import Tracking

/// What customers ask for, into the orders' streams; only the partner's answer changes an order.
package struct LiveCommands: CommandsPort {
    private let service: LiveService

    package init(_ service: LiveService) { self.service = service }

    package func request(
        _ command: CommandRequest,
        on order: OrderID,
        caller: Caller
    ) async throws(Unavailable) -> CommandOutcome {
        let app = try service.app(caller)
        guard let source = service.directory.own(.device, app: app.number) else {
            throw Unavailable(.databaseUnavailable)
        }
        let snapshot = try await service.reading { try await service.orders.order(app: app.number, order) }
        guard (snapshot?.stream.order.revision ?? 0) > 0 else { return .unknownOrder }
        let body: JSONObject = [
            "id": .string(command.id), "command": .string(command.command), "arguments": .object(command.arguments),
        ]
        let fact = NewFact(
            service.orders.address(app: app.number, order),
            source: source.number,
            id: "command/\(command.id)",
            type: FactType.commandRequested,
            body: JSON.object(body).serialized(),
            print: UUID128(sha256Prefix: JSON.object(body).canonical()),
            actor: caller.actor
        )
        switch await service.appender.append([fact]).first {
        case .appended: return .requested
        case .duplicate: return .repeated
        case .reused: return .idReused
        case .failed(let failure): throw Unavailable(failure)
        case .conflict, nil: throw Unavailable(.databaseUnavailable)
        }
    }
}
