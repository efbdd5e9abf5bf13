import JSONText
import Testing

@testable import APNsSimulator

/// The control API without a socket.
extension SimulatedWorld {
    @discardableResult
    mutating func ask(
        _ method: String,
        _ path: String,
        query: String? = nil,
        _ body: JSON? = nil
    ) throws -> (status: Int, json: JSON) {
        let parsed = ControlRequest(method: method, path: path, query: query, body: body?.serialized() ?? [])
        let request = try #require(parsed)
        now.phone = now.wall + world.advanced
        let reply = world.control(request, at: now)
        now.phone = now.wall + world.advanced
        return (reply.status, reply.body.isEmpty ? .null : try JSON.parse(reply.body))
    }
}
