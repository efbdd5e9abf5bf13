import Foundation
import JSONText
import Testing

@testable import doorstep

/// `doorstep adapter check`.
struct AdapterCheckTests {
    private static let hooks = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/hooks").standardizedFileURL.path

    private func check(_ arguments: String, _ adapter: String = "") throws -> [String] {
        try Shell.lines("cat > own.json <<'END'\n\(adapter)\nEND\ndoorstep adapter check \(arguments); echo $?")
    }

    @Test func `the events of a webhook are shown`() throws {
        let lines = try check("shipday \(Self.hooks)/shipday/04-order-pikedup.json")
        #expect(lines.first == "shipday makes 1 event of it")
        #expect(lines.contains { $0.contains(#""type":"order.picked_up""#) })
        #expect(lines.last == "0")
    }

    @Test func `as JSON it is one object`() throws {
        let lines = try check("onfleet \(Self.hooks)/onfleet/11-taskCompleted-dropoff.json --json")
        let object = try JSON.parse(Array(try #require(lines.first).utf8))
        #expect(lines.count == 2)
        #expect(object["ok"] == true)
        #expect(object["name"] == "onfleet")
        #expect(object["events"]?[0]?["type"] == "order.delivered")
    }

    @Test func `everything wrong with the adapter is told with its place`() throws {
        let lines = try check(
            "own.json \(Self.hooks)/shipday/04-order-pikedup.json",
            #"{"adapter": "doorstep.adapter.v1", "name": "own", "signature": {"scheme": "none"}, "id": "x"}"#
        )
        #expect(lines.contains { $0.contains("own.json: /id: must hold something of the body") })
        #expect(lines.contains { $0.contains("own.json: /subject: must be a text") })
        #expect(lines.last == "2")
    }

    @Test func `what a sample lacks is told with its place`() throws {
        let lines = try check("shipday own.json --json 2>/dev/null", #"{"event": "ORDER_DELETE", "timestamp": 1}"#)
        let object = try JSON.parse(Array(try #require(lines.first).utf8))
        #expect(object["ok"] == false)
        #expect(object["problems"]?[0]?["at"] == "/order/id")
        #expect(lines.last == "2")
    }

    @Test func `files that are not there are told`() throws {
        let lines = try check("gone.json lost.json")
        #expect(lines.contains { $0.contains("gone.json: No such file") })
        #expect(lines.contains { $0.contains("lost.json: No such file") })
        #expect(lines.last == "2")
    }
}
