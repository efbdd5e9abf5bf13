internal import Runtime

/// How long a replay puts up with a Doorstep that is away, and how often it tries.
enum Patience {
    static let limit = Duration.seconds(60)

    /// 0.1 s, doubling, at most 2 s.
    static func pause(afterAttempt attempt: Int) -> Duration { .milliseconds(min(2000, 100 << min(attempt, 5))) }
}
