package import ActivityContract
internal import Tracking

/// What the pushes of a contract look like, how large they can get, and what they cost beyond the order's own news.
package struct ContractReport: Sendable {
    /// What Apple takes (contract 3.3).
    package static let sizeLimit = 4096
    /// How long before the arrival the card of a usual order appears, for the estimate.
    package static let usualWait = 30

    /// The bodies of a start, an update and an end, as they would be sent; no start where pushes start no cards.
    package let samples: [(verb: String, body: [UInt8])]
    /// Bytes of the largest body, with the longest ids and names that are let through or what is sent for want of them, in
    /// any language.
    package let largest: Int
    /// Pushes per order for minutes alone, `usualWait` minutes before the arrival; 0 for a contract without minutes.
    package let minutePushes: Int
    package let problems: [ContractProblem]

    package init(_ contract: Contract) {
        let app = AppRendering(contracts: ContractHistory(contract))
        func isSent(_ push: OutgoingPush) -> Bool { push.intention.verb != .start || contract.traits.startsByPush }
        samples = OutgoingPush.samples.filter(isSent).map { ($0.intention.verb.name, Payload($0, in: app).bytes) }
        largest = OutgoingPush.largest.filter(isSent).map { Self.mostBytes($0, contract) }.max() ?? 0
        minutePushes = contract.traits.showsMinutes ? MinutesCost.pushes(from: Self.usualWait) : 0
        problems =
            largest <= Self.sizeLimit
            ? []
            : [
                ContractProblem(
                    "",
                    .tooLarge,
                    "a push can reach \(largest) bytes of \(Self.sizeLimit): leave out fields, or shorten fixed values and sentinels"
                )
            ]
    }

    /// The size of a push whose card says of each source what is longer: the source, or its absence.
    private static func mostBytes(_ push: OutgoingPush, _ contract: Contract) -> Int {
        let longest = contract.longest(for: CanonicalCard(push))
        return Payload(push, in: AppRendering(contracts: ContractHistory(longest))).bytes.count
    }
}
