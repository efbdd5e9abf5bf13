/// Counters over everything since the phones were last deleted.
struct Totals: Sendable, Codable {
    var requests = 0
    /// Messages of channels that were brought to a phone.
    var broadcastDeliveries = 0
    /// Answers of 2xx, by event.
    var accepted: [RequestRecord.Event: Int] = [:]
    /// Other answers, by reason.
    var refused: [String: Int] = [:]
    /// Accepted pushes, by what became of them.
    var verdicts: [Verdict: Int] = [:]
    var priorityTen = 0
    var alerts = 0
    /// Pairs of phone and order with at least one card.
    var pairs = 0
    var cards = 0
    /// Cards beyond one per pair and incarnation.
    var duplicateCards = 0
    /// `update` accepted after an accepted `end` of the same card.
    var updatesAfterEnd = 0
    /// A timestamp that is not above the last accepted one of the card.
    var timestampRegressions = 0
    /// Bodies refused with 413, and payloads whose data together exceed 4,096 bytes.
    var oversizedPayloads = 0
    var undecodable = 0
}
