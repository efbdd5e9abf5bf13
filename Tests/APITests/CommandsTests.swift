import API
import JSONText
import Runtime
import Testing

/// What customers ask for by way of the app.
@Suite struct CommandsTests {
    let bench = Bench()

    private func ask(_ body: JSON) async throws -> Bench.Answer {
        let headers = [("Content-Type", "application/json")]
        return try await bench.send(
            "POST",
            "/v1/orders/1001/commands",
            as: .device,
            headers: headers,
            body: body.serialized()
        )
    }

    @Test func `a request is taken with its arguments, and is pending`() async throws {
        let answer = try await ask(["id": "c1", "command": "leave_at_door", "arguments": ["floor": 3]])
        #expect(answer.status == 202)
        #expect(answer.json == ["order": "1001", "id": "c1", "duplicate": false])
        let asked = bench.service.state.withLock { $0.commands }
        #expect(asked == [CommandRequest(id: "c1", command: "leave_at_door", arguments: ["floor": 3])])
    }

    @Test(
        arguments: [
            (.repeated, 202, nil), (.idReused, 409, "event-id-reused"), (.unknownOrder, 404, "not-found"),
        ] as [(CommandOutcome, Int, String?)]
    )
    func `what became of it is told`(outcome: CommandOutcome, status: Int, slug: String?) async throws {
        bench.service.state.withLock { $0.commandOutcome = outcome }
        let answer = try await ask(["id": "c1", "command": "cancel"])
        #expect(answer.status == status)
        #expect(answer.slug == slug)
        if status == 202 { #expect(answer.json["duplicate"] == true) }
    }

    @Test(
        arguments: [
            (["command": "cancel"], "/id required"), (["id": "c"], "/command required"),
            (["id": "", "command": "cancel"], "/id length"), (["id": "c", "command": 5], "/command type"),
            (["id": "c", "command": .string(String(repeating: "x", count: 65))], "/command length"),
            (["id": "c", "command": "cancel", "arguments": []], "/arguments type"),
            (
                ["id": "c", "command": "cancel", "arguments": ["note": .string(String(repeating: "x", count: 2048))]],
                "/arguments length"
            ),
        ] as [(JSON, String)]
    )
    func `a request that breaks a rule is refused`(body: JSON, fault: String) async throws {
        let answer = try await ask(body)
        #expect(answer.status == 422)
        #expect(answer.faults == [fault])
        #expect(bench.service.state.withLock { $0.commands }.isEmpty)
    }
}
