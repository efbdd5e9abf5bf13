import JSONText
import Testing

extension EndToEnd {
    /// The guides' commands, as people copy them.
    struct GuideTests {
        private static let secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"

        @Test(arguments: ["partner", "courier", "support"])
        func `every command of a guide does what it says`(guide: String) async throws {
            let text = LocalStack.text("\(LocalStack.repository)/docs/integrate-\(guide).md")
            let blocks = text.split(separator: "```sh\n").dropFirst().compactMap { $0.split(separator: "```").first }
            try #require(!blocks.isEmpty)
            try await LocalStack.with { stack in
                try await stack.change(#""name":"demo","app":"demo","#, by: #""secrets":["\#(Self.secret)"],"#)
                let script =
                    "set -euo pipefail\nDOORSTEP_SOURCE_SECRET=\(Self.secret)\n" + blocks.joined(separator: "echo\n")
                let (code, output) = try await stack.run("/bin/bash", ["-c", script])
                #expect(code == 0, "\(output)")
            }
        }
    }
}
