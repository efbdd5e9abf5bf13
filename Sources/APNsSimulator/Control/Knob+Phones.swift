extension Knob {
    /// Those of phones.
    static let phones: [Knob] = [
        .word("startTokenScope", \.phones.startTokenScope),
        .share("wakeForeground", \.phones.wake[.foreground]),
        .share("wakeBackground", \.phones.wake[.background]),
        .share("wakeTerminated", \.phones.wake[.terminated]),
        .share("wakeForceQuit", \.phones.wake[.forceQuit]),
        .seconds("awakeSeconds", \.phones.awake),
        .count("startBudget", \.phones.startBudget),
        .seconds("startBudgetSeconds", \.phones.startBudgetWindow),
        .count("maximumActivities", \.phones.maximumCards),
        .count("urgentPerHour", \.phones.urgentPerHour),
        .count("urgentPerHourFrequent", \.phones.urgentPerHourFrequent),
        .word("overBudget", \.phones.overBudget),
        .flag("endIgnoresTimestamp", \.phones.endIgnoresTimestamp),
        .flag("appliesTies", \.phones.appliesTies),
        .seconds("timestampAheadSeconds", \.phones.timestampAhead),
        .seconds("alertSeconds", \.phones.alertDuration),
    ]
}
