import API
import HTTPServer
import Testing
import Tracking

/// What is written for callers says what the code does.
@Suite struct DocumentationTests {
    /// The operations under `paths:` as `METHOD /path`, read by indentation.
    private static func operations() throws -> [String: String] {
        var operations: [String: String] = [:]
        var path = ""
        var operation: String?
        var isInPaths = false
        for line in try Repository.text(of: "openapi.yaml").split(separator: "\n") {
            if !line.hasPrefix(" ") { isInPaths = line == "paths:" }
            guard isInPaths, line.hasSuffix(":") || line.hasPrefix("      operationId: ") else { continue }
            if line.hasPrefix("  /") {
                path = String(line.dropFirst(2).dropLast())
            } else if line.hasPrefix("    "), !line.hasPrefix("     "), line != "    parameters:" {
                operation = "\(line.dropFirst(4).dropLast().uppercased()) \(path)"
            } else if line.hasPrefix("      operationId: "), let operation {
                operations[operation] = String(line.dropFirst("      operationId: ".count))
            }
        }
        return operations
    }

    @Test func `the routes of the description are the routes of the code`() throws {
        let expected = Dictionary(
            uniqueKeysWithValues: Route.allCases.map { ("\($0.method) \($0.path)", "\($0)") }
        )
        #expect(try Self.operations() == expected)
    }

    @Test func `every problem is documented with its status, in both places`() throws {
        let rows = try Repository.tableRows(of: "docs/problems.md", firstCell: "`[a-z-]+`")
        let documented = rows.filter { Int($0[1]) != nil }.map { [$0[0].replacing("`", with: ""), $0[1]] }
        #expect(Set(documented) == Set(Problem.Kind.allCases.map { [$0.slug, String($0.status)] }))
        let lines = try Repository.text(of: "openapi.yaml").split(separator: "\n")
        let listed = lines.compactMap { $0.firstMatch(of: /- (urn:doorstep:problem:[a-z-]+)$/)?.1 }.map(String.init)
        #expect(Set(listed) == Set(Problem.Kind.allCases.map(\.type)))
    }

    @Test func `every rule is documented, in both places`() throws {
        let rules = Fault.Rule.allCases.map(\.rawValue)
        let rows = try Repository.tableRows(of: "docs/problems.md", firstCell: "`[a-z]+`").filter { Int($0[1]) == nil }
        #expect(Set(rows.map { $0[0].replacing("`", with: "") }).isSuperset(of: rules))
        let list = "rule: {enum: [\(rules.joined(separator: ", "))]}"
        #expect(try Repository.text(of: "openapi.yaml").contains(list))
    }

    @Test func `every verdict, reason and timer is listed`() throws {
        #expect(try Self.words(of: "    Verdict:") == Decision.Kind.allCases.map(\.rawValue))
        #expect(try Self.words(of: "    Reason:") == Reason.allCases.map(\.rawValue))
        #expect(try Self.words(of: "        waitsFor:") == TimerKind.allCases.map(\.name))
    }

    /// The words of the first list of choices after a line.
    private static func words(of line: String) throws -> [String] {
        let text = try Repository.text(of: "openapi.yaml")
        let rest = try #require(text.split(separator: "\n\(line)\n").dropFirst().first)
        let list = try #require(rest.split(separator: "enum:").dropFirst().first)
        return list.prefix { $0 != "]" }.split { " \n[,".contains($0) }.map(String.init)
    }

    @Test(arguments: [
        (HTTPFault.badFraming, 400, "malformed-request"), (.headerTooLarge, 431, "headers-too-large"),
        (.bodyTooLarge(limit: 9), 413, "too-large"), (.overloaded, 503, "overloaded"),
        (.timedOut, 408, "request-timeout"),
        (.methodUnsupported, 501, "not-implemented"), (.versionUnsupported, 505, "version-not-supported"),
    ])
    func `requests refused before any handler get problems too`(fault: HTTPFault, status: Int, slug: String) throws {
        let response = Bench().edge.respond(to: fault)
        #expect(response.status == status)
        #expect(response.status == fault.status)
        guard case .bytes(let bytes) = response.body else {
            Issue.record("a streamed body")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains("urn:doorstep:problem:\(slug)"))
    }
}
