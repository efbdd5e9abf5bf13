internal import Runtime

/// How long one step of a delivery takes, as measured in recorded streams (docs/replay.md): long tails to the right,
/// which neither a uniform nor a normal distribution has.
struct Gap {
    /// Seconds at the quantiles 0, 1, 10, 50, 90, 99 and 100 %.
    private let seconds: [Int64]
    private static let quantiles: [Int64] = [0, 10_000, 100_000, 500_000, 900_000, 990_000, 1_000_000]

    static let untilAccepted = Gap(seconds: [2, 6, 14, 69, 1172, 5413, 14_480])
    static let untilAtPickup = Gap(seconds: [2, 4, 58, 614, 1664, 3139, 6374])
    static let atPickup = Gap(seconds: [20, 69, 147, 491, 1664, 3803, 5985])
    static let untilDelivered = Gap(seconds: [2, 3, 523, 1369, 2848, 4648, 7883])
    /// Between two orders of the same minute; spread as in a busy hour.
    static let betweenOrders = Gap(seconds: [0, 0, 1, 8, 31, 90, 240])
    static let atTheDoor = Gap(seconds: [5, 10, 25, 80, 240, 600, 900])

    /// One duration in microseconds, by whole seconds.
    func draw(_ generator: inout SplitMix64) -> Int64 {
        let point = Int64(generator.below(1_000_000))
        let upper = Self.quantiles.dropFirst().firstIndex { point < $0 } ?? Self.quantiles.count - 1
        let (low, high) = (Self.quantiles[upper - 1], Self.quantiles[upper])
        let (from, to) = (seconds[upper - 1], seconds[upper])
        return (from + (to - from) * (point - low) / (high - low)) * 1_000_000
    }
}
