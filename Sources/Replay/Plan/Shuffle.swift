package import Runtime

extension Recording {
    /// Permutes by seed (Fisher and Yates), alike on every machine and with every version of the standard library.
    static func shuffle(_ sequence: inout [Int], seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for last in sequence.indices.dropFirst().reversed() {
            sequence.swapAt(last, generator.below(last + 1))
        }
    }
}

extension SplitMix64 {
    /// A number from 0 to `bound` - 1. The bias of the high product is beyond notice for bounds far below 2^64.
    package mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }
}
