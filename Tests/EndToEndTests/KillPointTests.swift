import Glibc
import HTTPClient
import JSONText
import Replay
import Runtime
import Testing

extension EndToEnd {
    /// The service killed where it hurts most, and at random. `DOORSTEP_KILL_ORDERS` makes the streams longer.
    struct KillPointTests {
        private static let orders = getenv("DOORSTEP_KILL_ORDERS").flatMap { Int(String(cString: $0)) } ?? 24

        // E35, P79
        @Test(arguments: [
            "append.beforeCommit", "append.afterCommit", "project.beforeCommit", "send.afterAccept",
            "outcome.beforeCommit",
        ])
        func `a death in the middle at any point loses nothing and shows nothing twice`(_ point: String) async throws {
            let nth = Self.orders / 4
            try await LocalStack.with(["DOORSTEP_CRASH_AT": "\(point):\(nth)"]) { stack in
                let before = stack.pid(of: "serve")
                let stream = try stack.generate(orders: Self.orders, seed: 21)
                let report = try await stack.replay { $0.files = [stream] }
                expectNothingLost(report)
                #expect(stack.pid(of: "serve") != before, "the service never reached \(point)")
                // What `up` has restarted has no such order any more.
                let restarted = try #require(stack.pid(of: "serve"))
                #expect(!LocalStack.text("/proc/\(restarted)/environ").contains("DOORSTEP_CRASH_AT"))
            }
        }

        @Test func `five deaths at random lose nothing and show nothing twice`() async throws {
            let seed: UInt64 = 5
            try await LocalStack.with { stack in
                // Enough that the events still go out when the first death comes.
                let stream = try stack.generate(orders: max(Self.orders, 96), seed: seed)
                let (hasBegun, isOver) = (Locked(false), Locked(false))
                async let kills = killServe(in: stack, times: 5, seed: seed, from: hasBegun, until: isOver)
                // Before its first event a replay takes a service that is away for a mistake, and says so.
                let report = try await stack.replay { progress in
                    if progress.stage == .events { hasBegun.withLock { $0 = true } }
                } _: {
                    $0.files = [stream]
                }
                isOver.withLock { $0 = true }
                #expect(try await kills > 0)
                expectNothingLost(report)
            }
        }

        /// Only the service may hear of it: another child would die at its first passage, or never.
        @Test func `the order to die reaches the service alone`() async throws {
            try await LocalStack.with(["DOORSTEP_CRASH_AT": "outcome.beforeCommit:1000000"]) { stack in
                for (child, hears) in [("serve", true), ("apns-sim", false), ("postgres", false)] {
                    let id = try #require(stack.pid(of: child))
                    let environment = LocalStack.text("/proc/\(id)/environ")
                    #expect(!environment.isEmpty)
                    #expect(environment.contains("DOORSTEP_CRASH_AT") == hears, "\(child)")
                }
            }
        }

        // P79: what may have been sent is not sent again, until the app says that it never came.
        @Test func `a start lost with its process waits for the app, and then comes`() async throws {
            try await LocalStack.with { stack in
                let phone = PhoneStory(stack)
                try await phone.add()
                try await phone.simulate("/faults", ["effect": "stall", "match": ["event": "start"]])
                try await phone.tell("order.on_the_way")
                try await phone.eventually("a start at APNs") {
                    try await phone.simulated("/requests")["items"]?.arrayValue?.count == 1
                }
                kill(try #require(stack.pid(of: "serve")), SIGKILL)
                try await phone.eventually("maybeStarted") { try await phone.state() == "maybeStarted" }
                #expect(try await phone.cards().isEmpty)

                try await phone.simulate("/phones/p1/open", [:])
                try await phone.eventually("a card") { try await phone.state() == "live" }
                try await phone.tell("courier.waiting")
                try await phone.eventually("the newest state") {
                    try await phone.cards().first?["content"]?["phase"]?.stringValue == "courier_waiting"
                }
                try await phone.tell("order.delivered")
                try await phone.eventually("the end") {
                    try await phone.cards().first?["state"]?.stringValue == "ended"
                }
                #expect(try await phone.cards().count == 1)
            }
        }

        private func expectNothingLost(_ report: ReplayReport) {
            #expect(report.isClean, "\(report.json)")
            #expect(report.accepted == report.events, "\(report.json)")
            #expect(report.missingFromLog == 0)
            #expect(report.phones?.duplicateCards == 0)
            #expect(report.unsettled == 0, "\(report.json)")
        }

        /// Kills the serving process again and again while something goes on; answers how often.
        private func killServe(
            in stack: LocalStack,
            times: Int,
            seed: UInt64,
            from hasBegun: Locked<Bool>,
            until isOver: Locked<Bool>
        ) async throws
            -> Int
        {
            var numbers = SplitMix64(seed: seed)
            while !hasBegun.withLock({ $0 }), !isOver.withLock({ $0 }) {
                try await LocalStack.loop.sleep(for: .milliseconds(20))
            }
            for done in 0..<times {
                let pause = Int.random(in: done == 0 ? 100...1000 : 500...4000, using: &numbers)
                try await LocalStack.loop.sleep(for: .milliseconds(pause))
                while stack.pid(of: "serve") == nil { try await LocalStack.loop.sleep(for: .milliseconds(50)) }
                if isOver.withLock({ $0 }) { return done }
                if let serve = stack.pid(of: "serve") { kill(serve, SIGKILL) }
            }
            return times
        }
    }
}

/// One phone and one order of its owner.
private struct PhoneStory: Sendable {
    private let stack: LocalStack
    private let api: HTTPClient
    private let simulator: HTTPClient

    init(_ stack: LocalStack) {
        self.stack = stack
        api = HTTPClient(loop: LocalStack.loop, baseURL: stack["DOORSTEP_URL"], maxConnections: 2)
        simulator = HTTPClient(loop: LocalStack.loop, baseURL: stack["DOORSTEP_SIMULATOR_URL"], maxConnections: 2)
    }

    func add() async throws {
        try await simulate("/phones", ["id": "p1", "customer": "ann", "app": "demo"])
        try await eventually("the phone's registration") {
            try await get("/v1/devices/p1?linked=1&wait=1")?["linked"]?.boolValue == true
        }
    }

    func tell(_ type: String) async throws {
        let event: JSON = [
            "specversion": "1.0", "source": "demo", "id": .string(type), "type": .string(type), "subject": "o1",
            "time": .string(RFC3339.format(WallClock.microseconds)), "data": ["customer": "ann"],
        ]
        let headers = [
            ("Content-Type", "application/cloudevents+json"),
            ("Authorization", "Bearer \(stack["DOORSTEP_INGEST_KEY"])"),
        ]
        try await eventually("an answer to \(type)") {
            let answer = try? await api.send("POST", "/v1/events", headers: headers, body: event.serialized())
            return answer.map { [200, 202].contains($0.status) } ?? false
        }
    }

    /// The state of the order's only card; nil while there is none.
    func state() async throws -> String? {
        try await get("/v1/orders/o1")?["activities"]?.arrayValue?.first?["state"]?.stringValue
    }

    func cards() async throws -> [JSON] { try await simulated("/phones/p1")["cards"]?.arrayValue ?? [] }

    func simulate(_ path: String, _ body: JSON) async throws {
        let answer = try await simulator.send(
            "POST",
            path,
            headers: [("Content-Type", "application/json")],
            body: body.serialized()
        )
        try #require((200..<300).contains(answer.status), "\(answer.text)")
    }

    func simulated(_ path: String) async throws -> JSON { try JSON.parse(try await simulator.send("GET", path).body) }

    /// nil while the service is away, or knows nothing.
    private func get(_ path: String) async throws -> JSON? {
        let headers = [("Authorization", "Bearer \(stack["DOORSTEP_SUPPORT_KEY"])")]
        guard let answer = try? await api.send("GET", path, headers: headers), answer.status == 200 else { return nil }
        return try JSON.parse(answer.body)
    }

    /// Waits for what must come, longer than a claim lives and a lease together.
    func eventually(_ what: Comment, _ condition: () async throws -> Bool) async throws {
        for _ in 0..<900 {
            if try await condition() { return }
            try await LocalStack.loop.sleep(for: .milliseconds(100))
        }
        try #require(Bool(false), what)
    }
}
