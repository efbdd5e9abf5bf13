import Foundation
import JSONText
import Simulation
import TestSupport
import Testing
import Tracking

/// The default policy on the two real streams, with invented arrival times and quiet periods on top.
///
/// Of each stream the first 2,000 orders: a debug build needs minutes for all of them.
@Suite(.enabled(if: SharedData.has("sendy_events.csv.gz"), Comment(rawValue: SharedData.missing)))
struct SharedStreamTests {
    static let orders = 2_000
    static let seed: UInt64 = 7

    /// The stream, the phase from which its app's cards start, and how many lines hold enough orders.
    @Test(arguments: [("sendy", Phase.onTheWay, 10_001), ("doordash", .accepted, 8_001)])
    func `no card looks alive past its promise, and pushes stay what they were`(
        name: String,
        startAt: Phase,
        lines: Int
    ) throws {
        let stream = try Self.stream(name, lines: lines)
        #expect(stream.orders.count == Self.orders)
        #expect(stream.events > 5 * lines / 2)
        var policy = Policy()
        policy.startAt = startAt
        let figures = Simulation(stream, settings: SimulationSettings()).run(policy)
        #expect(figures.orders == Self.orders)
        #expect(figures.events == stream.events)
        #expect(figures.dishonest == .zero)
        #expect(figures.shownStale > .zero)
        #expect(figures.pushes[.markStale, default: 0] > 0)

        let stored = try JSON.parse(
            Array(try Data(contentsOf: URL(filePath: SharedData.fixture("simulate-baseline.json"))))
        )
        let baseline = try #require(stored[name])
        for (member, value) in Self.measured(figures) {
            let expected = try #require(baseline[member]?.doubleValue)
            #expect(abs(value - expected) <= expected * 0.02, "\(name): \(member) is \(value), was \(expected)")
        }
    }

    private static func measured(_ figures: Figures) -> [(String, Double)] {
        [
            ("pushesPerOrder", figures.pushesPerOrder), ("alertsPerOrder", figures.alertsPerOrder),
            ("priority10Share", figures.urgentShare),
        ]
    }

    /// The first orders; both files hold the rows of an order together.
    private static func stream(_ name: String, lines: Int) throws -> RecordedStream {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let command = "gzip -dc '\(SharedData.path("\(name)_events.csv.gz"))' | head -n \(lines) > '\(path)'"
        let shell = try Process.run(URL(filePath: "/bin/sh"), arguments: ["-c", command])
        shell.waitUntilExit()
        return try RecordedStream(path: path, map: SharedData.fixture("\(name).map.json"))
            .prefix(orders)
            .inventingArrivals(seed: seed)
    }
}
