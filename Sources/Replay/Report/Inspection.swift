internal import JSONText

/// Looks at everything once a replay is over: the log of each order, and what its phones show.
struct Inspection: Sendable {
    private static let asking = 32

    let doorstep: DoorstepClient
    let recording: Recording
    let plan: PhonePlan
    /// Whether each row was taken.
    let kept: [Bool]
    /// What the simulator saw, by pair; nothing without a simulator.
    let evidence: PhoneEvidence
    let exports: Bool
    let progress: @Sendable (ReplayProgress) -> Void

    struct Findings: Sendable {
        var unknownTypes = 0
        var missingFromLog = 0
        var latency = Latency()
        var phones = PhoneFigures()
        /// One line of the export, if one was wanted.
        var line: [UInt8] = []
    }

    /// All findings added up, and the export's lines in the order of `recording.orders`.
    func run() async throws(ReplayError) -> (total: Findings, lines: [[UInt8]]) {
        let phonesOf = Dictionary(grouping: plan.pairs, by: \.order)
        var total = Findings()
        var done = 0
        var lines = [[UInt8]](repeating: [], count: recording.orders.count)
        let body: @Sendable (Int) async throws(ReplayError) -> (Int, Findings) = { index async throws(ReplayError) in
            (index, try await inspect(index, phonesOf[recording.orders[index].id] ?? []))
        }
        try await concurrently(Array(recording.orders.indices), limit: Self.asking, body) { index, findings in
            total.add(findings)
            lines[index] = findings.line
            done += 1
            progress(ReplayProgress(stage: .checking, done: done, total: recording.orders.count))
        }
        return (total, lines)
    }

    private func inspect(_ index: Int, _ pairs: [PhonePlan.Pair]) async throws(ReplayError) -> Findings {
        let order = recording.orders[index]
        let path = "/v1/orders/\(PathSegment.encode(order.id))"
        let view = try await doorstep.get(path)
        var history = OrderHistory()
        try await doorstep.each("\(path)/timeline", query: "&view=full") { history.add($0) }
        var findings = Findings()
        let expected = Set(order.sequence).filter { kept[$0] && !recording.rows[$0].isPosition }.map {
            (recording.rows[$0].source, recording.rows[$0].id)
        }
        findings.missingFromLog = history.missing(expected)
        findings.unknownTypes = history.unknownTypes
        findings.phones.activities = pairs.count
        for pair in pairs { inspect(pair, history, phase: view?["phase"]?.stringValue, &findings) }
        if exports, let view {
            var facts: [JSON] = []
            try await doorstep.each("\(path)/timeline", query: "&view=facts") { facts.append($0) }
            findings.line = Self.line(view, facts)
        }
        return findings
    }

    private func inspect(_ pair: PhonePlan.Pair, _ history: OrderHistory, phase: String?, _ findings: inout Findings) {
        let pushes = evidence.pushes[pair] ?? []
        findings.phones.add(pushes)
        findings.latency.add(pushes, of: history)
        if let cards = evidence.cards[pair], !cards.cards.isEmpty {
            findings.phones.add(cards, phase: phase)
        } else {
            let reason = PhoneFigures.NotStarted(decision: history.lastDecision[pair.phone]?.reason, phase: phase)
            findings.phones.notStarted[reason, default: 0] += 1
        }
    }

    /// Sorted keys, no whitespace: two exports compare with `cmp`.
    private static func line(_ view: JSON, _ facts: [JSON]) -> [UInt8] {
        var line = JSONObject()
        for name in ["id", "phase", "since", "kitchen", "courier", "eta", "flags"] { line[name] = view[name] ?? .null }
        line["facts"] = .array(facts)
        return JSON.object(line).canonical()
    }
}

extension Inspection.Findings {
    fileprivate mutating func add(_ other: Self) {
        unknownTypes += other.unknownTypes
        missingFromLog += other.missingFromLog
        latency.add(other.latency)
        phones.add(other.phones)
    }
}
