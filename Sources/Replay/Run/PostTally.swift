/// Counts answers to posted events and remembers how far each order has come.
struct PostTally: Sendable {
    private(set) var accepted = 0
    private(set) var duplicates = 0
    private(set) var rejected = 0
    private(set) var retries = 0
    /// Rejections by the problem's slug.
    private(set) var rejections: [String: Int] = [:]
    /// The newest version of each order, by index; 0 when nothing of it was kept.
    private(set) var versions: [Int64]
    /// Whether each row is in the log.
    private(set) var kept: [Bool]
    private var acceptedRows: [Bool]

    init(_ recording: Recording) {
        versions = recording.orders.map { _ in 0 }
        kept = recording.rows.map { _ in false }
        acceptedRows = kept
    }

    var answered: Int { accepted + duplicates + rejected }

    mutating func add(_ outcomes: [EventPoster.Outcome], in recording: Recording) {
        for outcome in outcomes { add(outcome, of: recording.rows[outcome.row].order) }
    }

    private mutating func add(_ outcome: EventPoster.Outcome, of order: Int) {
        retries += outcome.retries
        switch outcome.answer {
        case .accepted(let version):
            accepted += 1
            acceptedRows[outcome.row] = true
            keep(outcome.row, order, version)
        case .duplicate(let version):
            // A repeat of ours that finds its own first try, whose answer was lost, is the one that was accepted.
            if outcome.retries > 0, !acceptedRows[outcome.row] {
                accepted += 1
                acceptedRows[outcome.row] = true
            } else {
                duplicates += 1
            }
            keep(outcome.row, order, version)
        case .rejected(let problem):
            rejected += 1
            rejections[problem, default: 0] += 1
        }
    }

    private mutating func keep(_ row: Int, _ order: Int, _ version: Int64) {
        kept[row] = true
        versions[order] = max(versions[order], version)
    }
}
