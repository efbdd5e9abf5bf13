import Glibc
import HTTPClient
import JSONText
import Runtime
import Testing

extension EndToEnd {
    /// The database away while partners go on sending.
    struct OutageTests {
        private static let senders = 5
        /// As long as continuous integration can spend; `DOORSTEP_OUTAGE_SECONDS` for more.
        private static let outage = Duration.seconds(
            getenv("DOORSTEP_OUTAGE_SECONDS").flatMap { Int(String(cString: $0)) } ?? 60
        )

        @Test func `five senders through an outage lose nothing that was accepted`() async throws {
            try await LocalStack.with { stack in
                let serve = try #require(stack.pid(of: "serve"))
                let postgres = try #require(stack.pid(of: "postgres"))
                let isOver = Locked(false)
                let accepted = Locked<[Int: Int]>([:])
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for sender in 0..<Self.senders {
                        group.addTask { try await Self.send(sender, to: stack, until: isOver, accepted) }
                    }
                    try await Self.wait {
                        accepted.withLock { $0.count == Self.senders && $0.values.allSatisfy { $0 > 20 } }
                    }
                    let before = accepted.withLock { $0 }
                    // Who would start it again is held.
                    stack.signalUp(SIGSTOP)
                    kill(postgres, SIGKILL)
                    try await Task.sleep(for: Self.outage)
                    stack.signalUp(SIGCONT)
                    try await Self.wait {
                        accepted.withLock { now in now.allSatisfy { $0.value > before[$0.key, default: 0] + 20 } }
                    }
                    isOver.withLock { $0 = true }
                    try await group.waitForAll()
                }
                #expect(stack.pid(of: "serve") == serve)
                for (sender, count) in accepted.withLock({ $0 }) {
                    let order = try await stack.get(
                        "DOORSTEP_URL",
                        "/v1/orders/out-\(sender)?app=demo&settled=\(count)&wait=30"
                    )
                    #expect(order["revision"]?.int64Value == Int64(count))
                }
            }
        }

        /// Sends the events of one order, each until it is accepted.
        private static func send(
            _ sender: Int,
            to stack: LocalStack,
            until isOver: Locked<Bool>,
            _ accepted: Locked<[Int: Int]>
        ) async throws {
            let client = HTTPClient(loop: LocalStack.loop, baseURL: stack["DOORSTEP_URL"], maxConnections: 1)
            let headers = [
                ("Authorization", "Bearer \(stack["DOORSTEP_INGEST_KEY"])"),
                ("Content-Type", "application/cloudevents+json"),
            ]
            var number = 0
            while !isOver.withLock({ $0 }) {
                let event: JSON = [
                    "specversion": "1.0", "source": "demo", "id": .string("out-\(sender)/\(number)"),
                    "type": number == 0 ? "order.placed" : "eta.changed", "subject": .string("out-\(sender)"),
                    "data": ["reason": .string("\(number)")],
                ]
                let status = try? await client.send(
                    "POST",
                    "/v1/events?app=demo",
                    headers: headers,
                    body: event.serialized()
                )
                .status
                guard status == 202 || status == 200 else {
                    #expect(status == nil || status == 503)
                    try await Task.sleep(for: .milliseconds(100))
                    continue
                }
                number += 1
                accepted.withLock { [number] in $0[sender] = number }
            }
        }

        private static func wait(until isSo: () -> Bool) async throws {
            for _ in 0..<6_000 where !isSo() { try await Task.sleep(for: .milliseconds(10)) }
            #expect(isSo())
        }
    }
}
