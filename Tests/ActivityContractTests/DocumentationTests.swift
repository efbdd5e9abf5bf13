import Foundation
import JSONText
import Testing

@testable import ActivityContract

/// What docs/contracts.md and the schema say is what the reader does.
@Suite struct DocumentationTests {
    private static func page() throws -> String { String(decoding: try Examples.bytes("contracts.md"), as: UTF8.self) }

    private static func words(_ member: String) throws -> Set<String> {
        let schema = try JSON.parse(try Examples.bytes("schemas/contract.schema.json"))
        let words = schema["$defs"]?["field"]?["properties"]?[member]?["enum"]?.arrayValue ?? []
        return Set(words.compactMap(\.stringValue))
    }

    @Test func `the worked example is the file that ships`() throws {
        let blocks = try Self.page().components(separatedBy: "```json\n").dropFirst()
        let example = try #require(blocks.first { $0.contains("status-and-date.v1") })
        let text = try #require(example.components(separatedBy: "```").first)
        #expect(try Contract(reading: Array(text.utf8)) == Examples.contract("status-and-date"))
    }

    @Test(arguments: ContractProblem.Rule.allCases)
    func `every rule is explained`(rule: ContractProblem.Rule) throws {
        #expect(try Self.page().contains("`\(rule.rawValue)`"))
    }

    @Test func `the schema knows the fields, forms and types that the reader knows`() throws {
        #expect(try Self.words("from") == Set(CanonicalField.names))
        #expect(try Self.words("as") == Set(FormName.allCases.map(\.rawValue)))
        let types = try Self.words("type")
        #expect(types.count == 14)
        #expect(types.allSatisfy { SwiftType($0) != nil })
    }

    @Test(arguments: CanonicalField.names)
    func `every field is explained`(name: String) throws {
        #expect(try Self.page().contains("`\(name)`"))
        #expect(CanonicalField(name: name) != nil)
    }
}
