import Glibc
import HTTPClient
import JSONText
import Runtime
import Testing

extension EndToEnd {
    /// Phones that speak for themselves, with tokens that another library signs.
    struct CustomerTokenTests {
        private static let python = getenv("DOORSTEP_PYTHON").map { String(cString: $0) }

        @Test(.enabled(if: python != nil, "needs DOORSTEP_PYTHON: a foreign client"))
        func `a customer's token of every algorithm is believed, also once the issuer has new keys`() async throws {
            let python = try #require(Self.python)
            try await LocalStack.with { stack in
                try await withIssuer(python, stack) { issuer in
                    let phone = Phone(stack: stack, issuer: issuer)
                    for algorithm in ["HS256", "ES256", "RS256", "EdDSA"] {
                        try await seesOnlyItsOwn(phone, algorithm)
                    }
                    #expect(try await phone.send("GET", "/v1/devices/ES256", "ES256", ["exp": 1]) == 401)
                    #expect(try await phone.send("GET", "/v1/devices/ES256", "ES256", ["aud": "other"]) == 401)

                    let old = try await issuer.token("ES256", phone.claims())
                    #expect(try await phone.send("GET", "/v1/devices/ES256", bearing: old) == 200)
                    try await issuer.ask("/rotate")
                    for algorithm in ["ES256", "RS256", "EdDSA"] {
                        #expect(try await phone.send("GET", "/v1/devices/\(algorithm)", algorithm) == 200)
                    }
                    #expect(try await phone.send("GET", "/v1/devices/ES256", bearing: old) == 401)
                }
            }
        }

        private func seesOnlyItsOwn(_ phone: Phone, _ algorithm: String) async throws {
            let device = "/v1/devices/\(algorithm)"
            #expect(try await phone.send("GET", device, algorithm) == 404)
            #expect(try await phone.send("PUT", device, algorithm, body: ["locale": "en"]) == 200)
            try await phone.stack.eventually { try await phone.send("GET", device, algorithm) == 200 }
            #expect(try await phone.send("GET", device, algorithm, ["sub": "other"]) == 404)
            let order = "/v1/orders/o-\(algorithm)"
            #expect(try await phone.send("GET", order, algorithm) == 404)
            try await phone.stack.post(
                "DOORSTEP_URL",
                "/v1/events",
                [
                    "specversion": "1.0", "id": .string(algorithm), "source": "demo", "type": "order.picked_up",
                    "subject": .string("o-\(algorithm)"), "data": ["customer": "c"],
                ],
                type: "application/cloudevents+json"
            )
            try await phone.stack.eventually { try await phone.send("GET", order, algorithm) == 200 }
            #expect(try await phone.send("GET", order, algorithm, ["sub": "other"]) == 404)
            #expect(try await phone.send("PUT", "\(order)/customers/other", algorithm, ["sub": "other"]) == 403)
        }

        private func withIssuer(
            _ python: String,
            _ stack: LocalStack,
            _ body: (Issuer) async throws -> Void
        ) async throws {
            let secret = "\(stack.folder)/token-secret"
            try LocalStack.write(Array("a secret of at least thirty-two bytes".utf8), to: secret)
            let log = "\(stack.folder)/issuer.log"
            let program = Program(
                python,
                ["\(LocalStack.repository)/Tests/Foreign/token_issuer.py", secret],
                logFile: log
            )
            let process = try await ChildProcess.start(program, on: LocalStack.loop)
            do {
                try await stack.eventually { LocalStack.text(log).hasSuffix("\n") }
                let address = String(LocalStack.text(log).split(separator: "\n")[0])
                try await stack.change(
                    #""id":"demo","#,
                    by:
                        #""customerTokens":{"issuer":"i","audience":"a","keySet":"\#(address)/keys","secretFile":"\#(secret)"},"#
                )
                try await body(Issuer(client: HTTPClient(loop: LocalStack.loop, baseURL: address, maxConnections: 1)))
                _ = await process.stop(grace: .seconds(5))
            } catch {
                _ = await process.stop(grace: .seconds(5))
                throw error
            }
        }
    }
}

private struct Issuer {
    let client: HTTPClient

    @discardableResult func ask(_ path: String, _ body: JSON = [:]) async throws -> String {
        let answer = try await client.send("POST", path, body: body.serialized())
        try #require(answer.status == 200, "\(answer.text)")
        return answer.text
    }

    func token(_ algorithm: String, _ claims: JSON) async throws -> String {
        try await ask("/token/\(algorithm)", claims)
    }
}

private struct Phone {
    let stack: LocalStack
    let issuer: Issuer

    func claims(_ changes: [String: JSON] = [:]) -> JSON {
        let now = WallClock.microseconds / 1_000_000
        var claims: JSONObject = [
            "iss": "i", "aud": ["a", "b"], "sub": "c", "iat": .integer(now), "exp": .integer(now + 300),
        ]
        for (name, value) in changes { claims[name] = value }
        return .object(claims)
    }

    /// The status of the answer.
    func send(
        _ method: String,
        _ path: String,
        _ algorithm: String,
        _ changes: [String: JSON] = [:],
        body: JSON? = nil
    ) async throws -> Int {
        try await send(method, path, bearing: try await issuer.token(algorithm, claims(changes)), body: body)
    }

    func send(_ method: String, _ path: String, bearing token: String, body: JSON? = nil) async throws -> Int {
        let client = HTTPClient(loop: LocalStack.loop, baseURL: stack["DOORSTEP_URL"], maxConnections: 1)
        let headers = [("Content-Type", "application/json"), ("Authorization", "Bearer \(token)")]
        return try await client.send(method, path, headers: headers, body: body?.serialized() ?? []).status
    }
}
