internal import Tracking

extension Policy {
    /// Every member of a policy, once: what configuration may say, `config show` shows, and the schema and
    /// docs/policy.md tell. Defaults stand in `Policy` alone.
    static let members: [PolicyMember] = [
        // MARK: Start
        PolicyMember("startAt", .start, .phase(\.startAt), "The phase from which a card may start."),
        PolicyMember(
            "maxStartAge",
            .start,
            .secondsOrNull(\.maxStartAge, 60...604_800),
            "No card starts for a phase whose event is older, by event time; null: no limit."
        ),
        PolicyMember(
            "scheduleLead",
            .start,
            .seconds(\.scheduleLead, 0...21_600),
            "How long before the time it was ordered for an order's card may start."
        ),
        PolicyMember(
            "appStartWait",
            .start,
            .seconds(\.appStartWait, 0...300),
            "How long a push start waits for an app that asked to start the card itself."
        ),
        PolicyMember(
            "tokenWait",
            .start,
            .seconds(\.tokenWait, 1...3600),
            "How long a started card may wait for its update token before it counts as settled."
        ),
        PolicyMember(
            "ambiguityWait",
            .start,
            .seconds(\.ambiguityWait, 1...14_400),
            "How long a start whose answer was lost may still turn up; then the card counts as out of reach."
        ),
        PolicyMember(
            "restartAfter410",
            .start,
            .flag(\.restartAfter410),
            "Whether one more card may be started after APNs called an update token dead, though the old may still run."
        ),

        // MARK: Device
        PolicyMember(
            "maxActivities",
            .device,
            .count(\.maxActivities, 1...100),
            "Cards at once on one phone; orders beyond it wait until one ends."
        ),
        PolicyMember(
            "startsPerTenMinutes",
            .device,
            .count(\.startsPerTenMinutes, 1...1000),
            "Push starts per phone in ten minutes; the phone ignores more in silence.",
            .within("Apple's engineers speak of about 10 in a short time: developer forums, thread 799505")
        ),
        PolicyMember(
            "startsPerHour",
            .device,
            .count(\.startsPerHour, 1...1000),
            "Push starts per phone in an hour.",
            .within("Apple's engineers speak of about 10 in a short time: developer forums, thread 799505")
        ),
        PolicyMember(
            "unansweredStarts",
            .device,
            .count(\.unansweredStarts, 1...100),
            "After so many starts in a row without any sign of the app there is one per pause."
        ),
        PolicyMember(
            "unansweredPause",
            .device,
            .seconds(\.unansweredPause, 60...604_800),
            "That pause; any sign of the app ends it."
        ),

        // MARK: Update
        PolicyMember(
            "spacing",
            .update,
            .seconds(\.spacing, 1...3600),
            "Least distance between two pushes to one token.",
            .within(
                "APNs answers 429 to too many requests to one token: Apple, Handling notification responses from APNs"
            )
        ),
        PolicyMember(
            "etaStep",
            .update,
            .seconds(\.etaStep, 1...3600),
            "An arrival time must move this far to be worth an update."
        ),
        PolicyMember(
            "etaSpacing",
            .update,
            .seconds(\.etaSpacing, 0...3600),
            "Updates for an arrival time alone are this far apart; the last one always goes out."
        ),
        PolicyMember(
            "alertMaxAge",
            .update,
            .seconds(\.alertMaxAge, 0...3600),
            "An alert on an update or end that is older, by event time, is dropped; a start always rings."
        ),
        PolicyMember(
            "urgentPerHour",
            .update,
            .count(\.urgentPerHour, 1...1000),
            "Pushes of priority 10 per card in a rolling hour; those beyond go out with priority 5.",
            .within("an hourly budget on the phone of unpublished size: Apple, Starting and updating Live Activities")
        ),
        PolicyMember(
            "urgentPerHourFrequent",
            .update,
            .count(\.urgentPerHourFrequent, 1...1000),
            "The same where the person allows frequent updates.",
            .within("a larger budget of unpublished size: Apple, Starting and updating Live Activities")
        ),
        PolicyMember(
            "urgentReserved",
            .update,
            .count(\.urgentReserved, 0...999),
            "The last of these are kept for a waiting courier, a broken promise and the end."
        ),

        // MARK: Fallback
        PolicyMember(
            "fallbackAlert",
            .fallback,
            .flag(\.fallbackAlert),
            "Whether an ordinary alert tells of a waiting courier and of a cancellation where no card of the phone does."
        ),
        PolicyMember(
            "fallbackWait",
            .fallback,
            .seconds(\.fallbackWait, 0...180),
            "How long a card may take to show such a phase before that alert leaves; one out of reach is not waited for."
        ),
        PolicyMember(
            "fallbackExpiration",
            .fallback,
            .seconds(\.fallbackExpiration, 30...3600),
            "How long APNs may store such an alert for a phone that is offline."
        ),

        // MARK: Broadcast
        PolicyMember(
            "broadcast",
            .broadcast,
            .flag(\.broadcast),
            "Whether phones on iOS 18 or newer hear of an order on a channel, once for all of them. The app needs the capability."
        ),
        PolicyMember(
            "channelKept",
            .broadcast,
            .seconds(\.channelKept, 0...43_200),
            "How long a channel is kept after its last push, for phones that were offline."
        ),

        // MARK: Stale
        PolicyMember(
            "quietPlaced",
            .stale,
            .seconds(\.quietPlaced, 120...28_800),
            "How long `placed` is believed without news; then the card shows as stale. Measured: 99th percentile."
        ),
        PolicyMember(
            "quietAccepted",
            .stale,
            .seconds(\.quietAccepted, 120...28_800),
            "The same for `accepted`. Measured: 99th percentile."
        ),
        PolicyMember(
            "quietOnTheWay",
            .stale,
            .seconds(\.quietOnTheWay, 120...28_800),
            "The same for `on_the_way`. Measured: 99th percentile."
        ),
        PolicyMember(
            "quietWaiting",
            .stale,
            .seconds(\.quietWaiting, 120...28_800),
            "The same for `courier_waiting`."
        ),
        PolicyMember(
            "overdueAfter",
            .stale,
            .seconds(\.overdueAfter, 0...3600),
            "How long after its arrival time an order counts as overdue, and its card as stale."
        ),
        PolicyMember(
            "refreshAfterPercent",
            .stale,
            .percent(\.refreshAfterPercent, 10...95),
            "A confirmed state is sent again when this share of its stale window has passed."
        ),

        // MARK: End
        PolicyMember(
            "dismissAfterDelivered",
            .end,
            .seconds(\.dismissAfterDelivered, 0...14_400),
            "How long the card of a delivered order stays on the Lock Screen.",
            .within("at most 4 h after the end: Apple, Displaying live data with Live Activities")
        ),
        PolicyMember(
            "dismissAfterOther",
            .end,
            .seconds(\.dismissAfterOther, 0...14_400),
            "The same for orders that were cancelled, failed or returned, and for cards that ran too long.",
            .within("at most 4 h after the end: Apple, Displaying live data with Live Activities")
        ),
        PolicyMember(
            "deadlineAfter",
            .end,
            .seconds(\.deadlineAfter, 600...43_200),
            "A card ends this long after its start, or after the time its order was ordered for; one that took over from another, after the start of that."
        ),
        PolicyMember(
            "lifetime",
            .end,
            .seconds(\.lifetime, 600...28_800),
            "A card ends this long after its start, before the system ends it.",
            .within("the system ends a card after 8 h: Apple, Displaying live data with Live Activities")
        ),
        PolicyMember(
            "rollover",
            .end,
            .flag(\.rollover),
            "Whether a next card takes over from one whose life is nearly over."
        ),
        PolicyMember(
            "rolloverAfter",
            .end,
            .seconds(\.rolloverAfter, 300...28_800),
            "When that next card is started, after the start of the old one.",
            .within("the system ends a card after 8 h: Apple, Displaying live data with Live Activities")
        ),
        PolicyMember(
            "confirmationLimit",
            .end,
            .seconds(\.confirmationLimit, 28_800...86_400),
            "From then on no phone shows the card, whatever was heard; APNs stores ends as long.",
            .apple(
                "at most 8 h active and 4 h more on the Lock Screen: Apple, Displaying live data with Live Activities"
            )
        ),
        PolicyMember(
            "endRepeatAfter",
            .end,
            .seconds(\.endRepeatAfter, 60...14_400),
            "When an accepted end is repeated that the push of another card may have replaced."
        ),
        PolicyMember(
            "commandWait",
            .end,
            .seconds(\.commandWait, 5...3600),
            "How long a customer's request waits for the partner's answer."
        ),

        // MARK: Delivery
        PolicyMember(
            "startExpiration",
            .delivery,
            .seconds(\.startExpiration, 1...3600),
            "How long APNs may store a start for a phone that is offline."
        ),
        PolicyMember(
            "driftExpiration",
            .delivery,
            .seconds(\.driftExpiration, 1...3600),
            "The same for an update of priority 5; other updates are stored until they are stale."
        ),
        PolicyMember(
            "retryBase",
            .delivery,
            .seconds(\.retryBase, 1...900),
            "Wait before a push that APNs could not take is offered again, doubled each time."
        ),
        PolicyMember(
            "retryMaximum",
            .delivery,
            .seconds(\.retryMaximum, 1...14_400),
            "The longest such wait.",
            .apple("15 min after a 5xx, back-off allowed: Apple, Handling notification responses from APNs")
        ),
    ]
}
