package import JSONText
private import Runtime

/// What a replay found out (docs/replay.md).
package struct ReplayReport: Sendable {
    package var orders = 0
    /// Rows of the files.
    package var events = 0
    package var accepted = 0
    package var duplicates = 0
    package var rejected = 0
    /// Rejections by problem.
    package var rejections: [String: Int] = [:]
    package var retries = 0
    package var unknownTypes = 0
    /// Rows that were taken but are not in the log.
    package var missingFromLog = 0
    /// Orders that had not settled when the wait was over.
    package var unsettled = 0
    /// From the first event sent to the last one answered.
    package var elapsed = Duration.zero
    package var latency = Latency()
    /// Nil when the replay had no phones.
    package var phones: PhoneFigures?

    package init() {}

    /// Whether everything is as it must be.
    package var isClean: Bool {
        guard rejected == 0, unknownTypes == 0, missingFromLog == 0 else { return false }
        return phones.map { $0.mistakes == 0 && $0.activities > 0 } ?? true
    }

    package var json: JSON {
        let seconds = elapsed.inSeconds
        return [
            "orders": .integer(orders), "events": .integer(events), "accepted": .integer(accepted),
            "duplicates": .integer(duplicates), "rejected": .integer(rejected), "retries": .integer(retries),
            "rejections": .counts(rejections.map { ($0.key, $0.value) }), "unknownTypes": .integer(unknownTypes),
            "missingFromLog": .integer(missingFromLog), "unsettled": .integer(unsettled),
            "elapsedSeconds": .rounded(seconds),
            "eventsPerSecond": .rounded(seconds > 0 ? Double(accepted + duplicates) / seconds : 0),
            "commitToAcceptMilliseconds": [
                "p50": .rounded(latency.quantile(0.5)), "p99": .rounded(latency.quantile(0.99)),
                "max": .rounded(latency.quantile(1)), "measured": .integer(latency.measured.count),
                "held": .integer(latency.held),
            ],
            "phones": phones?.json ?? .null,
        ]
    }
}

extension PhoneFigures {
    fileprivate var json: JSON {
        [
            "activities": .integer(activities), "started": .integer(started),
            "notStarted": .counts(notStarted.map { ($0.key.rawValue, $0.value) }), "ended": .integer(ended),
            "live": .integer(live), "wrongFinalState": .integer(wrongFinalState),
            "duplicateCards": .integer(duplicateCards), "updatesAfterEnd": .integer(updatesAfterEnd),
            "timestampRegressions": .integer(timestampRegressions), "oversizedPayloads": .integer(oversizedPayloads),
            "undecodable": .integer(undecodable),
        ]
    }
}

extension JSON {
    /// An object of numbers, by name.
    fileprivate static func counts(_ counts: [(name: String, count: Int)]) -> JSON {
        let sorted = counts.sorted { $0.name < $1.name }
        return .object(JSONObject(sorted.map { .init(name: $0.name, value: .integer($0.count)) }))
    }

    /// Three decimals at most; null for nil.
    fileprivate static func rounded(_ value: Double?) -> JSON {
        guard let value else { return .null }
        let rounded = (value * 1000).rounded() / 1000
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? .integer(Int64(rounded)) : .double(rounded)
    }
}
