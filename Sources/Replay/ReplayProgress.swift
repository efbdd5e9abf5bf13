/// Where a replay stands, for a status line.
package struct ReplayProgress: Sendable {
    package enum Stage: String, Sendable {
        case phones
        case events
        case settling
        case checking
    }

    package let stage: Stage
    package let done: Int
    package let total: Int
}
