/// What the Dynamic Island shows (Apple, "Displaying live data with Live Activities"). Cards by their index.
enum Island: Hashable, Sendable {
    case empty
    /// One card, leading and trailing of the camera.
    case compact(Int)
    /// Two cards: one attached to the camera, one in a circle beside it.
    case minimal(attached: Int, detached: Int)
    /// A card whose push alerts.
    case expanded(Int)

    var mode: String {
        switch self {
        case .empty: "none"
        case .compact: "compact"
        case .minimal: "minimal"
        case .expanded: "expanded"
        }
    }

    var cards: [Int] {
        switch self {
        case .empty: []
        case .compact(let card), .expanded(let card): [card]
        case .minimal(let attached, let detached): [attached, detached]
        }
    }
}

extension Phone {
    /// The cards that run, the most relevant first, then the one that was started first. An alert keeps the island
    /// expanded for `alertDuration`.
    func island(at now: Int64, alertDuration: Int64) -> Island {
        guard isInstalled else { return .empty }
        let running = cards.indices.filter { cards[$0].ending(at: now) == nil }
            .sorted { (cards[$1].relevance, $0) < (cards[$0].relevance, $1) }
        let alerting = running.filter { cards[$0].alert.map { now - $0.at < alertDuration } ?? false }
        if let newest = alerting.max(by: { (cards[$0].alert?.at ?? 0) < (cards[$1].alert?.at ?? 0) }) {
            return .expanded(newest)
        }
        guard let first = running.first else { return .empty }
        return running.count > 1 ? .minimal(attached: first, detached: running[1]) : .compact(first)
    }
}
