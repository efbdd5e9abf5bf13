/// The numbers and switches of one app's decisions. Where Apple publishes no number, the default is ours.
package struct Policy: Hashable, Sendable {
    /// The immutable version named in every decision.
    package var version: Int32 = 1
    /// What the app's own content state asks of decisions.
    package var contract = ContractDemands()

    // MARK: Start

    /// The phase from which a card may start.
    package var startAt = Phase.onTheWay
    /// No card starts for a phase whose event is older; nil: no limit.
    package var maxStartAge: Duration? = .seconds(6 * 3600)
    /// How long before the time it is ordered for an order's card may start.
    package var scheduleLead = Duration.seconds(3600)
    /// How long a push start waits for an app that asked to start the card itself.
    package var appStartWait = Duration.seconds(30)
    /// How long a started card may wait for its update token before it counts as settled.
    package var tokenWait = Duration.seconds(120)
    /// How long a start whose answer was lost may still turn up.
    package var ambiguityWait = Duration.seconds(900)
    /// Whether one more card may be started after APNs called an update token dead.
    package var restartAfter410 = false

    // MARK: Device

    /// Cards at once on one device.
    package var maxActivities = 5
    /// Push starts per device in ten minutes and in an hour, well under the ten that Apple's engineers speak of.
    package var startsPerTenMinutes = 4
    package var startsPerHour = 8
    /// After so many starts in a row without any sign of the app there is one per pause.
    package var unansweredStarts = 4
    package var unansweredPause = Duration.seconds(24 * 3600)

    // MARK: Update

    /// Least distance between two pushes to one token.
    package var spacing = Duration.seconds(1)
    /// An arrival time must move this far to be worth an update, and updates for it are this far apart.
    package var etaStep = Duration.seconds(60)
    package var etaSpacing = Duration.seconds(60)
    /// An alert on an update or end older than this is dropped, by event time.
    package var alertMaxAge = Duration.seconds(180)
    /// Priority 10 per card in a rolling hour, with and without the person's leave for frequent updates.
    package var urgentPerHour = 10
    package var urgentPerHourFrequent = 30
    /// Of these the last are kept for what must not wait.
    package var urgentReserved = 3

    // MARK: Fallback

    /// Whether an ordinary alert tells of a waiting courier and of a cancellation where no card does.
    package var fallbackAlert = false
    /// How long a card may take to show such a phase before the alert leaves.
    package var fallbackWait = Duration.seconds(20)

    // MARK: Broadcast

    /// Whether phones on iOS 18 or newer hear of an order by a channel, once for all of them.
    package var broadcast = false
    /// How long a channel is kept after its last push, for phones that were offline.
    package var channelKept = Duration.seconds(4 * 3600)

    // MARK: Stale

    /// Quiet windows without an arrival time, after which a promise is no longer kept: the 99th percentile of real
    /// streams for the first three.
    package var quietPlaced = Duration.seconds(90 * 60)
    package var quietAccepted = Duration.seconds(80 * 60)
    package var quietOnTheWay = Duration.seconds(80 * 60)
    package var quietWaiting = Duration.seconds(15 * 60)
    /// How long after its arrival time an order counts as overdue.
    package var overdueAfter = Duration.seconds(300)
    /// A confirmed state is sent again when this share of its stale window has passed, in percent.
    package var refreshAfterPercent = 75

    // MARK: End

    /// How long an ended card stays on the Lock Screen; Apple allows four hours.
    package var dismissAfterDelivered = Duration.seconds(600)
    package var dismissAfterOther = Duration.seconds(3600)
    /// An order's card ends this long after its start, or after the time it was ordered for; one that took over from another,
    /// after the start of that.
    package var deadlineAfter = Duration.seconds(3 * 3600)
    /// The system ends a card after eight hours; ours ends before.
    package var lifetime = Duration.seconds(7 * 3600 + 55 * 60)
    /// Whether a next card takes over instead, and when it is started.
    package var rollover = false
    package var rolloverAfter = Duration.seconds(7 * 3600 + 45 * 60)
    /// From then on no phone shows the card, whatever was heard; ends are stored as long.
    package var confirmationLimit = Duration.seconds(12 * 3600)
    /// When an accepted end is repeated that another card's push may have replaced.
    package var endRepeatAfter = Duration.seconds(600)
    /// How long a customer's request waits for the partner's answer.
    package var commandWait = Duration.seconds(60)

    // MARK: Delivery

    /// How long a start may be stored for a phone that is offline, and a drifting detail.
    package var startExpiration = Duration.seconds(300)
    package var driftExpiration = Duration.seconds(120)
    /// How long an alert in the place of a card may be.
    package var fallbackExpiration = Duration.seconds(300)
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

/// What decisions must know of an app's content state.
package struct ContractDemands: Hashable, Sendable {
    /// It shows minutes until arrival, so time alone changes it.
    package var showsMinutes = false
    /// It cannot show an unknown arrival time: no start before one is known.
    package var holdsUntilETA = false
    /// It shows a progress that partners send.
    package var showsProgress = false
    /// Its cards can be told apart by order; those of others are started by the app alone.
    package var startsByPush = true
    /// The types of attributes it is written for: a phone whose app has another can start no card of it. nil: any.
    package var attributesTypes: Set<String>?

    package init() {}

    /// The number a card shows for an arrival time at a moment: minutes begun, never below zero.
    package static func minutes(until eta: Instant, at now: Instant) -> Int {
        let left = (eta - now).microseconds
        return left <= 0 ? 0 : Int((left + 59_999_999) / 60_000_000)
    }

    /// How far the number must move to be worth a push.
    package static func minutesStep(from shown: Int) -> Int {
        switch shown {
        case ..<5: 1
        case ..<15: 2
        default: 5
        }
    }
}
