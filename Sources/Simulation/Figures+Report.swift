internal import JSONText
internal import Tracking

extension Figures {
    private static let kinds: [Decision.Kind] = [.start, .update, .refresh, .markStale, .end, .alert]

    private var staleMinutes: Double { dishonest / .seconds(60) }
    private var shownStaleMinutes: Double { shownStale / .seconds(60) }

    /// Reasons and how often, the most frequent first.
    private var obstacles: [(name: String, count: Int)] {
        Self.ranked(notStarted.map { ($0.key.rawValue, $0.value) })
    }

    private static func ranked(_ counts: [(name: String, count: Int)]) -> [(name: String, count: Int)] {
        counts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    var json: JSONObject {
        var pushes: JSONObject = ["total": .integer(totalPushes)]
        for kind in Self.kinds { pushes[kind.rawValue] = .integer(self.pushes[kind] ?? 0) }
        return [
            "orders": .integer(orders), "events": .integer(events), "started": .integer(started),
            "pushes": .object(pushes), "alerts": .integer(alerts), "priority10Share": .double(Self.round(urgentShare)),
            "pushesPerOrder": [
                "mean": .double(Self.round(pushesPerOrder)), "p50": .integer(self.pushes(enoughFor: 0.5)),
                "p99": .integer(self.pushes(enoughFor: 0.99)), "max": .integer(self.pushes(enoughFor: 1)),
            ],
            "staleMinutes": .double(Self.round(staleMinutes)),
            "shownStaleMinutes": .double(Self.round(shownStaleMinutes)),
            "endings": Self.object(Self.ranked(endings.map { ($0.key, $0.value) })),
            "notStarted": Self.object(obstacles),
        ]
    }

    var lines: [(name: String, value: String)] {
        var lines = [
            ("orders", "\(orders)"), ("events", "\(events)"), ("orders with a card", "\(started)"),
            ("pushes", "\(totalPushes)"),
        ]
        lines += Self.kinds.map { ("  \($0.rawValue)", "\(pushes[$0] ?? 0)") }
        lines += [
            ("alerts", "\(alerts)"), ("share of priority 10", "\(Self.round(urgentShare))"),
            ("pushes per order, mean", "\(Self.round(pushesPerOrder))"),
            ("  99 % of orders at most", "\(pushes(enoughFor: 0.99))"), ("  at most", "\(pushes(enoughFor: 1))"),
            ("minutes alive past a promise", "\(Self.round(staleMinutes))"),
            ("minutes shown as stale", "\(Self.round(shownStaleMinutes))"),
        ]
        lines += Self.ranked(endings.map { ($0.key, $0.value) }).map { ("ended: \($0.name)", "\($0.count)") }
        lines += obstacles.map { ("not started: \($0.name)", "\($0.count)") }
        return lines
    }

    private static func object(_ counts: [(name: String, count: Int)]) -> JSON {
        .object(JSONObject(counts.map { .init(name: $0.name, value: .integer($0.count)) }))
    }

    /// Four digits after the point are enough to compare.
    private static func round(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}
