/// The contracts of one app, by the build that brought each.
package struct ContractHistory: Hashable, Sendable {
    /// For builds before all others, and for devices that name none.
    private let oldest: Contract
    /// Ascending.
    private let later: [Edition]

    /// A contract and the first build that understands it.
    package struct Edition: Hashable, Sendable {
        package let firstBuild: BuildNumber
        package let contract: Contract

        package init(from firstBuild: BuildNumber, _ contract: Contract) {
            self.firstBuild = firstBuild
            self.contract = contract
        }
    }

    package init(_ oldest: Contract, later: [Edition] = []) {
        self.oldest = oldest
        self.later = later.sorted { $0.firstBuild < $1.firstBuild }
    }

    package var contracts: [Contract] { [oldest] + later.map(\.contract) }

    /// The newest contract that this build understands. A build that is no build number counts as the oldest.
    package func contract(build: String?) -> Contract {
        guard let build = build.flatMap({ BuildNumber($0) }) else { return oldest }
        return later.last { $0.firstBuild <= build }?.contract ?? oldest
    }
}

/// `CFBundleVersion`: up to a few whole numbers with dots between; missing ones count as 0.
package struct BuildNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let parts: [UInt64]

    package init?(_ text: String) {
        let words = text.split(separator: ".", omittingEmptySubsequences: false)
        var parts = words.compactMap { UInt64($0) }
        guard parts.count == words.count else { return nil }
        while parts.last == 0 { parts.removeLast() }
        self.parts = parts
    }

    package var description: String { parts.isEmpty ? "0" : parts.map(String.init).joined(separator: ".") }

    package static func < (a: BuildNumber, b: BuildNumber) -> Bool { a.parts.lexicographicallyPrecedes(b.parts) }
}
