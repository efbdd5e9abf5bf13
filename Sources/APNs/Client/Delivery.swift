internal import Runtime

/// One push under way, from `send` to its outcome.
final class Delivery {
    let request: APNsRequest
    let deadline: MonotonicTime
    /// How often it was handed to a connection.
    var attempts = 0
    /// The provider token of the latest attempt.
    var token: ProviderToken?
    var hasTriedNewToken = false
    private var caller: UnsafeContinuation<APNsOutcome, Never>?

    /// The continuation is an unsafe one because checking costs a twentieth of a push; `resolve` is its only use.
    init(_ request: APNsRequest, deadline: MonotonicTime, caller: UnsafeContinuation<APNsOutcome, Never>) {
        self.request = request
        self.deadline = deadline
        self.caller = caller
    }

    var isResolved: Bool { caller == nil }

    /// Tells the caller; later calls do nothing.
    func resolve(_ outcome: APNsOutcome) {
        caller?.resume(returning: outcome)
        caller = nil
    }
}
