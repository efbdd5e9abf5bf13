internal import HTTPClient
internal import JSONText

/// What a replay asks of the simulator's control API (docs/simulator.md).
struct SimulatorClient: Sendable {
    let http: HTTPClient

    /// Adds phones; those that exist already stay as they are.
    func add(_ phones: ArraySlice<PhonePlan.Phone>, app: String) async throws(ReplayError) {
        let list = phones.map { phone -> JSON in
            [
                "id": .string(phone.id), "customer": .string(phone.customer), "app": .string(app),
                "environment": "sandbox", "preset": "docs",
            ]
        }
        _ = try await send("POST", "/phones", body: JSON.array(list).serialized())
    }

    /// How many phones still have something to tell Doorstep.
    func phonesWithCalls() async throws(ReplayError) -> Int {
        let summary = try await send("GET", "/summary?limit=1")
        return Int(summary["totals"]?["reporting"]?.int64Value ?? 0)
    }

    /// The items of a list, page by page.
    func each(_ list: String, limit: Int = 10_000, _ body: (JSON) -> Void) async throws(ReplayError) {
        var after = "0"
        while true {
            let page = try await send("GET", "/\(list)?after=\(after)&limit=\(limit)")
            for item in page["items"]?.arrayValue ?? [] { body(item) }
            guard let next = page["next"]?.stringValue else { return }
            after = next
        }
    }

    private func send(_ method: String, _ path: String, body: [UInt8] = []) async throws(ReplayError) -> JSON {
        let answer: HTTPClientResponse
        do {
            answer = try await http.send(method, path, headers: [("Content-Type", "application/json")], body: body)
        } catch {
            throw ReplayError(
                .unreachable,
                "the simulator does not answer (\(error)); is DOORSTEP_SIMULATOR_URL right?"
            )
        }
        guard (200..<300).contains(answer.status), let json = try? JSON.parse(answer.body) else {
            throw ReplayError(
                .unexpectedAnswer,
                "simulator: \(method) \(path): \(answer.status) \(answer.text.prefix(200))"
            )
        }
        return json
    }
}
