internal import Runtime

/// How long a replay puts up with a Doorstep that is away, and how often it tries.
enum Patience {
    static let limit = Duration.seconds(60)

    private static let backoff = Backoff(base: .milliseconds(100), limit: .seconds(2))

    static func pause(afterAttempt attempt: Int) -> Duration {
        var numbers = SystemRandomNumberGenerator()
        return backoff.delay(afterFailure: attempt, using: &numbers)
    }
}
