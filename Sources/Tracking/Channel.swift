/// The broadcast channel of an order: what its cards show is told once, for all phones that listen (engine rules, rule
/// 16; docs/decisions/016). An order has one at most. Which phones listen stand in their cards.
package struct Channel: Hashable, Sendable {
    /// In slots, decisions and facts it stands where a phone and its card would: the slot that opens the channel is there
    /// before APNs has given it an id.
    package static let device = DeviceID("channel")
    /// Cards count from 1, and 0 is the alert in their place.
    package static let incarnation = -1

    package enum State: Hashable, Sendable {
        /// APNs is asked for it, and starts wait. Left to `open` on its answer, to `failed` after some refusals.
        case opening
        /// Phones listen. Left to `closed` when it is deleted, or APNs knows it no more.
        case open(ChannelID)
        /// Deleted. Left to `opening` when an order that was reopened starts cards again.
        case closed
        /// APNs gives none: cards start with tokens. Never left.
        case failed
    }

    package internal(set) var state = State.opening
    /// What listeners show, as if they were one card: what is told next is decided as for any card.
    package internal(set) var card: Activity

    init(state: State, card: Activity) {
        self.state = state
        self.card = card
    }

    /// For phones as this one: others have an app or an environment in which its pushes would mean nothing.
    init(for settings: DeviceSettings) {
        card = Activity(device: Self.device, incarnation: Self.incarnation)
        card.settings = Self.shared(settings)
    }

    package var id: ChannelID? {
        if case .open(let id) = state { id } else { nil }
    }

    /// What all listeners have in common; alerts are in the app's default locale.
    private static func shared(_ settings: DeviceSettings) -> DeviceSettings {
        var shared = DeviceSettings()
        shared.environment = settings.environment
        shared.attributesType = settings.attributesType
        shared.appBuild = settings.appBuild
        return shared
    }

    func fits(_ settings: DeviceSettings) -> Bool { card.settings == Self.shared(settings) }

    /// So many refusals in a row, and the order's cards start with tokens. Ours.
    private static let openAttempts = 3

    /// APNs may be deleting it this moment: a start that named it would reach nobody. The minute is ours.
    func isLeaving(at now: Instant) -> Bool {
        guard let wanted = card.intention, wanted.verb == .closeChannel, let due = wanted.dueAt else { return false }
        return due <= now + .seconds(60)
    }

    func isPending(at now: Instant) -> Bool {
        guard let wanted = card.intention else { return false }
        return wanted.verb == .openChannel || wanted.dueAt.map { $0 <= now + .seconds(2) } ?? false
    }
}

// MARK: - What APNs said

extension Channel {
    /// The channel is there.
    mutating func opened(_ id: ChannelID) {
        guard state == .opening else { return }
        state = .open(id)
        listen()
    }

    /// Whoever listens from now on has heard nothing: the channel is as a new card whose token is known.
    mutating func listen() {
        card.renew()
        card.channel = id
        card.state = .live
        card.tokenGeneration = 1
    }

    mutating func closed() {
        if id != nil { state = .closed }
        card.intention = nil
    }

    mutating func openingFailed(_ remedy: RefusalRemedy, now: Instant) {
        guard state == .opening else { return }
        card.attempts += 1
        card.failedAt = now
        guard remedy != .retry || card.attempts >= Self.openAttempts else { return }
        state = .failed
        card.intention = nil
    }

    mutating func closingFailed(_ remedy: RefusalRemedy, now: Instant) {
        card.attempts += 1
        card.failedAt = now
        if remedy != .retry { closed() }
    }
}

extension Activity {
    /// A card on a channel has no token of its own.
    package var listens: Bool { channel != nil }

    /// It shows what the channel tells, as far as is known, or will once its start is answered.
    var isListening: Bool { listens && (isOnPhone || startInFlight || slot != nil) }

    /// The channel is gone, and no token is there in its place.
    mutating func forgetChannel() {
        channel = nil
        state = .unreachable
    }

    /// As if nothing had been told yet, but for the numbers that only grow.
    fileprivate mutating func renew() {
        var new = Activity(device: device, incarnation: incarnation)
        new.lastRevision = lastRevision
        new.lastStamp = lastStamp
        new.settings = settings
        new.alarm = alarm
        self = new
    }
}

extension DeviceSettings {
    /// Channels came with iOS 18; an older system would start nothing (contract 6.2).
    var hearsChannels: Bool {
        guard let osVersion, let major = Int(osVersion.prefix { $0 != "." }) else { return false }
        return major >= 18
    }
}
