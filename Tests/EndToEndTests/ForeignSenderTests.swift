import Glibc
import JSONText
import Testing

extension EndToEnd {
    /// Events as others' libraries make and sign them.
    struct ForeignSenderTests {
        private static let python = getenv("DOORSTEP_PYTHON").map { String(cString: $0) }
        private static let secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"

        @Test(.enabled(if: python != nil, "needs DOORSTEP_PYTHON: a foreign client"))
        func `the three modes of the CloudEvents SDK are one event, and standardwebhooks' signature is believed`()
            async throws
        {
            let python = try #require(Self.python)
            try await LocalStack.with { stack in
                try await stack.change(#""name":"demo","app":"demo","#, by: #""secrets":["\#(Self.secret)"],"#)
                let arguments = [
                    "\(LocalStack.repository)/Tests/Foreign/events.py", stack["DOORSTEP_URL"],
                    stack["DOORSTEP_INGEST_KEY"],
                    Self.secret, "Nr. 7 \u{20AC}",
                ]
                let (code, output) = try await stack.run(python, arguments)
                try #require(code == 0, "\(output)")
                let answers = try #require(try JSON.parse(Array(output.utf8)).arrayValue)
                let statuses = answers.map { "\($0["name"]?.stringValue ?? "") \($0["status"]?.int64Value ?? 0)" }
                #expect(statuses == ["structured 202", "binary 200", "batch 202", "signed 202", "changed 401"])
                #expect(answers[2]["body"]?["results"]?[0]?["duplicate"] == true)
                let order = try await stack.get("DOORSTEP_URL", "/v1/orders/Nr.%207%20%E2%82%AC?app=demo")
                #expect(order["phase"] == "on_the_way")
                #expect(order["revision"] == 3)
            }
        }

        @Test(.enabled(if: python != nil, "needs DOORSTEP_PYTHON: a foreign client"))
        func `the description is valid OpenAPI 3.1`() async throws {
            let python = try #require(Self.python)
            try await LocalStack.with { stack in
                let file = "\(LocalStack.repository)/openapi.yaml"
                let (code, output) = try await stack.run(python, ["-m", "openapi_spec_validator", file])
                #expect(code == 0, "\(output)")
            }
        }
    }
}
