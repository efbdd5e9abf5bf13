/// The numbers and switches of one app's decisions. Where Apple publishes no number, the default is ours.
package struct Policy: Hashable, Sendable {
    /// The immutable version named in every decision.
    package var version: Int32 = 1
    /// The phase from which a card may start.
    package var startAt = Phase.onTheWay
    /// No card starts for a phase whose event is older; nil: no limit. Ours.
    package var maxStartAge: Duration? = .seconds(6 * 3600)
    /// An alert on an update or end older than this is dropped, by event time. Ours.
    package var alertMaxAge = Duration.seconds(180)
    /// How long a started card may wait for its update token before it counts as settled. Ours.
    package var tokenWait = Duration.seconds(120)
    /// How long a push start waits for an app that asked to start the card itself. Ours.
    package var appStartWait = Duration.seconds(30)
    /// Cards at once on one device. Ours: Apple's limit is unpublished.
    package var maxActivities = 5
    /// Push starts per device in ten minutes and in an hour. Ours, well under the ten that DTS speaks of.
    package var startsPerTenMinutes = 4
    package var startsPerHour = 8
    /// Least distance between two pushes to one token (contract rule 35).
    package var spacing = Duration.seconds(1)
    /// An arrival time must move this far to be worth an update.
    package var etaStep = Duration.seconds(60)
    /// Quiet windows without an arrival time, after which a promise is no longer kept.
    package var quietPlaced = Duration.seconds(90 * 60)
    package var quietAccepted = Duration.seconds(80 * 60)
    package var quietOnTheWay = Duration.seconds(80 * 60)
    package var quietWaiting = Duration.seconds(15 * 60)
    /// How long an ended card stays on the Lock Screen.
    package var dismissAfterDelivered = Duration.seconds(600)
    package var dismissAfterOther = Duration.seconds(3600)
    /// How long a start may be stored for a phone that is offline.
    package var startExpiration = Duration.seconds(300)
    /// An end must reach a phone that was offline for long: until the card's life is over.
    package var endExpiration = Duration.seconds(12 * 3600)
    /// Waits before repeating a push that APNs could not take, doubled each time up to the maximum.
    package var retryBase = Duration.seconds(2)
    package var retryMaximum = Duration.seconds(900)

    package init() {}

    func quietWindow(_ phase: Phase) -> Duration {
        switch phase {
        case .placed: quietPlaced
        case .accepted: quietAccepted
        case .onTheWay: quietOnTheWay
        case .courierWaiting, .delivered, .cancelled, .failed, .returned: quietWaiting
        }
    }

    func retryDelay(attempt: Int) -> Duration {
        min(retryBase * (1 << min(max(attempt, 1) - 1, 12)), retryMaximum)
    }
}
