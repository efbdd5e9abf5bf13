private import JSONText
internal import Runtime

/// Asks how far Doorstep is with an order.
struct OrderStanding: Sendable {
    /// How many orders may be asked for at once.
    static let connections = 256
    /// A server that answers at once is not asked again at once.
    private static let pause = Duration.milliseconds(50)

    let client: DoorstepClient
    let loop: EventLoop

    /// How far Doorstep is with an order.
    struct Standing: Sendable {
        /// Version of its newest fact.
        var version: Int64
        /// The newest version up to which nothing is left to do now.
        var settled: Int64
    }

    /// The order's standing as soon as `settledVersion` is at least `version`, or what it is after about `limit`.
    func standing(
        of order: String,
        awaiting version: Int64,
        limit: Duration
    ) async throws(ReplayError) -> Standing {
        let asked = MonotonicTime.now
        let seconds = max(1, limit.components.seconds)
        let view = try await client.ask(
            "/v1/orders/\(PathSegment.encode(order))",
            query: "&settled=\(version)&wait=\(seconds)"
        )
        let standing = Standing(
            version: view?["version"]?.int64Value ?? 0,
            settled: view?["settledVersion"]?.int64Value ?? 0
        )
        if standing.settled < version, MonotonicTime.now - asked < Self.pause {
            try? await loop.sleep(for: Self.pause)
        }
        return standing
    }
}
