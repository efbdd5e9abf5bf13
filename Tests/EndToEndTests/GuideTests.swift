import JSONText
import Testing

extension EndToEnd {
    /// The guides' commands, as people copy them.
    struct GuideTests {
        private static let secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"

        @Test(arguments: ["partner", "courier", "support", "warehouse", "ios"])
        func `every command of a guide does what it says`(guide: String) async throws {
            let text = LocalStack.text("\(LocalStack.repository)/docs/integrate-\(guide).md")
            let blocks = text.split(separator: "```sh\n").dropFirst().compactMap { $0.split(separator: "```").first }
            try #require(!blocks.isEmpty)
            try await LocalStack.with { stack in
                if guide == "ios" {
                    try await Self.takeTokens(stack)
                } else {
                    try await stack.change(#""name":"demo","app":"demo","#, by: #""secrets":["\#(Self.secret)"],"#)
                }
                let script =
                    "set -euo pipefail\nDOORSTEP_SOURCE_SECRET=\(Self.secret)\nTOKEN_SECRET=\(Self.secret)\n"
                    + blocks.joined(separator: "echo\n")
                let (code, output) = try await stack.run("/bin/bash", ["-c", script])
                #expect(code == 0, "\(output)")
            }
        }

        private static func takeTokens(_ stack: LocalStack) async throws {
            let file = "\(stack.folder)/token-secret"
            try LocalStack.write(Array(secret.utf8), to: file)
            try await stack.change(
                #""id":"demo","#,
                by: #""customerTokens":{"issuer":"shop","audience":"doorstep","secretFile":"\#(file)"},"#
            )
        }
    }
}
