/// A channel of an app: whoever listens to it gets what is published to it. It belongs to one environment, lives until it
/// is deleted, and an app may have 10,000 (sender rule 48).
package struct APNsChannel: Hashable, Sendable {
    /// Base64 of APNs' choosing.
    package let id: String
    /// Whether APNs keeps the newest push for phones that are away: for 8 hours at most, and less where the push expires
    /// earlier. Otherwise it stores nothing, and more may be published.
    package let storesNewest: Bool

    package init(id: String, storesNewest: Bool) {
        self.id = id
        self.storesNewest = storesNewest
    }
}

/// Why channels could not be managed.
package struct APNsChannelError: Error, Sendable, CustomStringConvertible {
    /// A refusal, or no answer. After an unknown outcome of `create` look at `list` before creating another.
    package let outcome: APNsOutcome

    package var remedy: Remedy { Remedy(for: outcome) }

    package var description: String {
        switch outcome {
        case .answered(let answer): "\(answer.status) \(answer.reason?.rawValue ?? "without a reason")"
        case .unsent(let failure), .unknown(let failure): "\(failure)"
        }
    }
}
