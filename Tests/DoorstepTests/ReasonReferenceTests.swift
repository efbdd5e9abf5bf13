import Service
import Testing
import Tracking

/// docs/reasons.md lists every verdict and every reason with a sentence.
struct ReasonReferenceTests {
    private static var markdown: String {
        let verdicts = Decision.Kind.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |" }
        let reasons = Reason.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |" }
        return """
            # Verdicts and reasons

            After every fact Doorstep decides about every card of the order and records what it decided, also where that is to
            do nothing. `doorstep explain`, `GET /v1/orders/{order}/explanation` and the timeline show these words. They are
            stored: a word never changes its meaning. A test compares this page with the code.

            | verdict | meaning |
            |---|---|
            \(verdicts.joined(separator: "\n"))

            | reason | meaning |
            |---|---|
            \(reasons.joined(separator: "\n"))

            """
    }

    @Test func `every verdict and every reason is explained`() throws {
        try Documents.compare("docs/reasons.md", Self.markdown)
    }

    @Test func `each explanation is one of its own, and a whole sentence`() {
        let meanings = Decision.Kind.allCases.map(\.meaning) + Reason.allCases.map(\.meaning)
        #expect(Set(meanings).count == meanings.count)
        #expect(meanings.allSatisfy { $0.hasSuffix(".") && $0.first?.isUppercase == true })
    }
}
