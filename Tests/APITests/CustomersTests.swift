import API
import Crypto
import JSONText
import Runtime
import Testing
import Tracking
import WebTokens

/// What one customer, who brings a token of the app's sign-in, may do.
@Suite struct CustomersTests {
    private static let secret = Array("a secret of at least thirty-two bytes".utf8)
    private static let me = CustomerID("c-1")
    private let bench: Bench

    init() {
        bench = Bench()
        let rules = TokenRules(issuer: "login", audience: "doorstep")
        let keys = TokenKeys([TokenKey(secret: Self.secret)])
        bench.service.tokens.replace([("demo", .init(rules: rules, keys: keys))])
        let mine = DeviceID("mine")
        let cards = [ActivityID("my-card"): mine, ActivityID("your-card"): DeviceID("yours")]
        bench.service.state.withLock { state in
            state.standings["demo|o"] = [Self.me: CustomerStanding(devices: [mine], cards: cards)]
            for (device, customer) in [("mine", "c-1"), ("yours", "c-2")] {
                var update = DeviceUpdate(observedAt: Bench.now, receivedAt: Bench.now)
                update.customer = .known(CustomerID(customer))
                state.registrations[device] = update
            }
        }
    }

    private func token(_ changes: KeyValuePairs<String, JSON?> = [:]) -> String {
        var claims: JSONObject = [
            "iss": "login", "aud": "doorstep", "sub": "c-1", "exp": .integer(Int(Bench.now / 1_000_000) + 60),
        ]
        for (name, value) in changes { claims[name] = value }
        let header = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8))
        let signed = "\(header).\(Base64URL.encode(JSON.object(claims).serialized()))"
        return "\(signed).\(Base64URL.encode(hmacSHA256(key: Self.secret, message: Array(signed.utf8))))"
    }

    private func send(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> Bench.Answer {
        let headers = [("Authorization", "Bearer \(token())")]
        return try await bench.send(method, path, headers: headers, body: body?.serialized() ?? [])
    }

    @Test func `a token that is not valid is 401, and says no more than its bearer may know`() async throws {
        let good = token()
        let bad = [
            good + "x", good + "=", String(good.dropLast(10)), token(["exp": 1]), token(["aud": "other"]),
            token(["iss": nil]), token(["sub": ""]), token(["exp": nil]), token(["iat": 2_000_000_000]),
            good + String(repeating: "a", count: 8_192), "a.b.c", ".", "..",
        ]
        for text in bad {
            let answer = try await bench.send(
                "GET",
                "/v1/devices/mine",
                headers: [("Authorization", "Bearer \(text)")]
            )
            #expect(answer.status == 401)
            #expect(answer.slug == "unauthenticated")
        }
        #expect(try await send("GET", "/v1/devices/mine?app=demo").status == 200)
        #expect(try await send("GET", "/v1/devices/mine?app=demo-early").status == 401)
    }

    @Test(arguments: Route.allCases)
    func `a customer reaches the routes of a device but for links`(route: Route) async throws {
        let path = route.path.replacing("{order}", with: "o").replacing("{device}", with: "mine")
            .replacing("{activity}", with: "my-card").replacing("{customer}", with: "c-1")
        let answer = try await send(route.method, path)
        switch route.access {
        case .open: break
        case .roles(let roles):
            let isAllowed = roles.contains(.device) && route != .putOrderCustomer
            #expect((answer.status == 403) == !isAllowed)
            #expect(answer.status != 401)
        }
    }

    @Test func `what is another's is answered as what nobody knows`() async throws {
        let standing = CustomerStanding(devices: [DeviceID("yours")])
        bench.service.state.withLock { $0.standings["demo|theirs"] = [CustomerID("c-2"): standing] }
        let activity: JSON = ["device": "mine"]
        let report: JSON = ["state": "active"]
        let attempts: [(String, String, JSON?)] = [
            ("GET", "/v1/orders/ID", nil), ("POST", "/v1/orders/ID/activities", activity),
            ("PUT", "/v1/orders/ID/activities/a", activity), ("POST", "/v1/orders/ID/activities/a/reports", report),
            ("POST", "/v1/orders/ID/commands", ["id": "1", "command": "cancel"]),
        ]
        for (method, path, body) in attempts {
            let theirs = try await send(method, path.replacing("ID", with: "theirs"), body)
            let unknown = try await send(method, path.replacing("ID", with: "nobody's"), body)
            #expect(theirs.status == 404)
            #expect(theirs.json["detail"] == unknown.json["detail"])
        }
        let devices: [(String, String, JSON?)] = [
            ("GET", "/v1/devices/ID", nil), ("DELETE", "/v1/devices/ID", nil),
            ("POST", "/v1/devices/ID/running", ["activities": []]),
        ]
        for (method, path, body) in devices {
            let theirs = try await send(method, path.replacing("ID", with: "yours"), body)
            let unknown = try await send(method, path.replacing("ID", with: "nobody's"), body)
            #expect(theirs.status == 404)
            #expect(theirs.json["detail"] == unknown.json["detail"])
        }
        #expect(try await send("POST", "/v1/orders/o/activities", ["device": "yours"]).status == 404)
        #expect(try await send("PUT", "/v1/orders/o/activities/a", ["device": "yours"]).status == 404)
        #expect(try await send("POST", "/v1/orders/o/activities/your-card/reports", report).status == 404)
        #expect(try await send("POST", "/v1/orders/o/activities/my-card/reports", report).status == 202)
        #expect(bench.service.state.withLock { $0.removed.isEmpty && $0.running.isEmpty && $0.questions.isEmpty })
    }

    @Test func `a device is registered for its own customer only`() async throws {
        #expect(try await send("PUT", "/v1/devices/new", ["locale": "en"]).status == 200)
        #expect(bench.service.state.withLock { $0.registrations["new"]?.customer } == .known(Self.me))
        #expect(try await send("PUT", "/v1/devices/mine", ["customer": "c-1"]).status == 200)
        for customer in ["c-2", nil] as [JSON] {
            #expect(try await send("PUT", "/v1/devices/mine", ["customer": customer]).status == 403)
        }
    }

    @Test func `a phone that changes hands keeps no token of before`() async throws {
        #expect(try await send("PUT", "/v1/devices/yours", ["locale": "en"]).status == 200)
        let taken = try #require(bench.service.state.withLock { $0.registrations["yours"] })
        #expect(taken.customer == .known(Self.me))
        #expect(taken.pushToStartToken == .unknown)
        #expect(taken.deviceToken == .unknown)
        #expect(try await send("PUT", "/v1/devices/mine", ["locale": "en"]).status == 200)
        #expect(bench.service.state.withLock { $0.registrations["mine"]?.pushToStartToken } == .absent)
    }

    @Test func `a customer has so many devices`() async throws {
        for number in 2...20 {
            #expect(try await send("PUT", "/v1/devices/d-\(number)", ["locale": "en"]).status == 200)
        }
        let answer = try await send("PUT", "/v1/devices/d-21", ["locale": "en"])
        #expect(answer.status == 422)
        #expect(answer.faults == [" count"])
        #expect(try await send("PUT", "/v1/devices/d-20", ["locale": "de"]).status == 200)
    }

    @Test func `an order shows its customer what is theirs`() async throws {
        func card(_ device: String) -> ActivityView {
            ActivityView(
                device: DeviceID(device),
                incarnation: 1,
                activity: nil,
                state: .live,
                reason: .alreadyEnded,
                startedBy: .server,
                startedAt: nil,
                lastAcceptedAt: nil
            )
        }
        let view = OrderView(
            order: OrderID("o"),
            phase: .onTheWay,
            since: nil,
            kitchen: .unknown,
            courier: .unknown,
            courierName: "Zoë",
            eta: nil,
            flags: [.late, .contradiction, .idShared],
            revision: 1,
            version: 1,
            settledVersion: 1,
            activities: [card("mine"), card("yours")]
        )
        bench.service.state.withLock { $0.orders["demo|o"] = view }
        let answer = try await send("GET", "/v1/orders/o")
        #expect(answer.json["flags"] == ["late"])
        #expect(answer.json["courierName"] == "Zoë")
        #expect(answer.json["activities"]?.arrayValue?.compactMap { $0["device"]?.stringValue } == ["mine"])
    }

    @Test func `neither the log nor an allowance names the customer`() {
        let customer = CustomerID("anna@example.org")
        let caller = Caller(customer: customer, app: "demo")
        #expect(!caller.actor.contains("anna"))
        #expect(caller.actor != Caller(customer: customer, app: "demo-early").actor)
    }
}
