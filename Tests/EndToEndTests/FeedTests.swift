import HTTPClient
import JSONText
import Runtime
import Testing

extension EndToEnd {
    /// How a warehouse reads everything.
    struct FeedTests {
        private static let orders = 5

        private static func events(_ steps: Range<Int>) -> JSON {
            .array(
                steps.flatMap { step in
                    (0..<orders).map { order in
                        [
                            "specversion": "1.0", "source": "demo", "id": .string("f-\(order)/\(step)"),
                            "type": "courier.assigned", "subject": .string("f-\(order)"),
                            "data": ["customer": "c", "courier": ["id": "r-1", "name": "Zoë"]],
                        ]
                    }
                }
            )
        }

        private static func post(_ steps: Range<Int>, to stack: LocalStack) async throws {
            let type = "application/cloudevents-batch+json"
            try await stack.post("DOORSTEP_URL", "/v1/events?app=demo", events(steps), type: type)
        }

        private static func page(_ query: String, of stack: LocalStack) async throws -> JSON {
            let client = HTTPClient(loop: LocalStack.loop, baseURL: stack["DOORSTEP_URL"], maxConnections: 1)
            let headers = [("Authorization", "Bearer \(stack["DOORSTEP_FEED_KEY"])")]
            let answer = try await client.send("GET", "/v1/feed?\(query)", headers: headers)
            try #require(answer.status == 200, "\(answer.text)")
            #expect(!answer.text.contains("Zoë"))
            return try JSON.parse(answer.body)
        }

        /// What came, as it must: each event once, and each order's in the order they were sent.
        private static func expect(_ items: [JSON], _ steps: Range<Int>) {
            for order in 0..<orders {
                let own = items.filter { $0["subject"]?.stringValue == "f-\(order)" }
                #expect(own.map { $0["id"]?.stringValue } == steps.map { "f-\(order)/\($0)" })
                let sequences = own.compactMap { $0["sequence"]?.stringValue }
                #expect(sequences == sequences.sorted())
            }
            #expect(items.count == orders * steps.count)
        }

        @Test func `everything comes once and in order, by pages and by stream`() async throws {
            try await LocalStack.with { stack in
                try await Self.post(0..<9, to: stack)
                var (items, next): ([JSON], String) = ([], "")
                repeat {
                    let page = try await Self.page("limit=7&after=\(next)", of: stack)
                    items += page["items"]?.arrayValue ?? []
                    next = try #require(page["next"]?.stringValue)
                } while items.count < 9 * Self.orders
                Self.expect(items, 0..<9)
                let held = next
                async let late = Self.page("wait=20&limit=1000&after=\(held)", of: stack)
                try await LocalStack.loop.sleep(for: .milliseconds(300))
                try await Self.post(9..<10, to: stack)
                #expect(try await late["items"]?.arrayValue?.isEmpty == false)

                let file = "\(stack.folder)/stream.txt"
                let curl = Program(
                    "curl",
                    [
                        "-fsSN", "-o", file, "\(stack["DOORSTEP_URL"])/v1/feed?limit=7", "-H",
                        "Authorization: Bearer \(stack["DOORSTEP_FEED_KEY"])", "-H", "Accept: text/event-stream", "-H",
                        "Last-Event-ID: \(next)",
                    ],
                    logFile: "\(stack.folder)/curl.log"
                )
                let reader = try await ChildProcess.start(curl, on: LocalStack.loop)
                for step in 10..<20 { try await Self.post(step..<(step + 1), to: stack) }
                func streamed() throws -> [JSON] {
                    try LocalStack.text(file).split(separator: "\n").filter {
                        $0.hasPrefix("data: ") && $0.hasSuffix("}")
                    }
                    .map { try JSON.parse(Array($0.dropFirst(6).utf8)) }
                }
                try await stack.eventually { try streamed().count >= 11 * Self.orders }
                await stack.stop()
                // The stream ends whole when the service stops.
                #expect(await reader.waitForExit() == .code(0))
                Self.expect(try streamed(), 9..<20)
                #expect(!LocalStack.text(file).contains("Zoë"))
            }
        }
    }
}
