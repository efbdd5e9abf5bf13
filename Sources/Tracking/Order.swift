/// One order, folded from its partners' facts. The same facts in any order of arrival give the same value.
package struct Order: Hashable, Sendable {
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let attemptFailed = Flags(rawValue: 1 << 0)
        package static let contradiction = Flags(rawValue: 1 << 1)
        package static let late = Flags(rawValue: 1 << 2)
        package static let nearby = Flags(rawValue: 1 << 3)
        package static let cancellationRequested = Flags(rawValue: 1 << 4)
        package static let reopened = Flags(rawValue: 1 << 5)
        package static let corrected = Flags(rawValue: 1 << 6)
        package static let timeAssumed = Flags(rawValue: 1 << 7)
        package static let clockAhead = Flags(rawValue: 1 << 8)
        package static let idShared = Flags(rawValue: 1 << 9)
        package static let unknownType = Flags(rawValue: 1 << 10)

        /// Names as the interfaces show them, in a fixed order.
        package var names: [String] { Self.named.filter { contains($0.flags) }.map(\.name) }

        /// Each with its name.
        package static let named: [(name: String, flags: Flags)] = [
            ("attempt_failed", .attemptFailed), ("cancellation_requested", .cancellationRequested),
            ("clock_ahead", .clockAhead), ("contradiction", .contradiction), ("corrected", .corrected),
            ("id_shared", .idShared), ("late", .late), ("nearby", .nearby), ("reopened", .reopened),
            ("time_assumed", .timeAssumed), ("unknown_type", .unknownType),
        ]
    }

    /// The highest phase claimed so far; nil while no fact claimed one.
    package internal(set) var reached: Phase?
    /// Event time of the fact that made the phase.
    package internal(set) var since: Instant?
    package internal(set) var kitchen = KitchenState.unknown
    package internal(set) var courierState = CourierState.unknown
    package internal(set) var courier: PartnerData.Courier?
    /// The current promise; nil is unknown, which is normal and never shown as zero.
    package internal(set) var eta: Instant?
    package internal(set) var pickupETA: Instant?
    /// Event time of the failed attempt that the flag speaks of.
    package internal(set) var attemptFailedAt: Instant?
    /// The first time that was promised; lateness is measured against it.
    package internal(set) var firstPromised: Instant?
    package internal(set) var flags: Flags = []
    package internal(set) var restaurant: PartnerData.Restaurant?
    package internal(set) var displayNumber: String?
    package internal(set) var scheduledFor: Instant?
    package internal(set) var progress: Double?
    package internal(set) var batch: String?
    package internal(set) var reason: String?
    package internal(set) var references: [String: String] = [:]
    /// Customers named by events, in fold order.
    package internal(set) var customers: [CustomerID] = []
    /// Number of partner and staff facts; what a caller's expected revision is compared with.
    package internal(set) var revision = 0
    /// The last fact of the fold; a later-arriving fact below it needs a fold from the start.
    package internal(set) var lastKey: FoldKey?
    /// What the facts of the last one's time and rank said: the same again is a repeat.
    package internal(set) var tellings: [Telling] = []
    /// Events retracted by `event.voided`, also before they arrive.
    package internal(set) var voided: Set<EventReference> = []

    package init() {}

    /// The phase shown; an order exists from its first fact on.
    package var phase: Phase { reached ?? .placed }
}
