extension DoorstepAttributes {
    /// What the customer sees of the order. The last four end it.
    public enum Phase: String, Codable, Hashable, Sendable, CaseIterable {
        case placed
        case accepted
        case onTheWay = "on_the_way"
        case courierWaiting = "courier_waiting"
        case delivered
        case cancelled
        case failed
        case returned
    }

    /// What changes on a card. Each push carries all of it: ActivityKit replaces the old state as a whole.
    public struct ContentState: Codable, Hashable, Sendable {
        public var phase: Phase
        /// Expected arrival; nil is unknown and should be shown so, never as zero.
        public var eta: Int64?
        /// Well beyond the time that was promised first.
        public var late: Bool
        /// What the card shows can no longer be relied on.
        public var stale: Bool
        /// The courier's name.
        public var courier: String?
        /// The courier came and could not hand over the order.
        public var attemptFailed: Bool
        /// A request of the customer that the platform has not answered yet.
        public var pendingCommand: String?
        /// When the newest word about the order was received.
        public var asOf: Int64
        /// Counts what was heard of the order; of two states the one with the higher revision is newer.
        public var revision: Int

        public init(
            phase: Phase,
            eta: Int64? = nil,
            late: Bool = false,
            stale: Bool = false,
            courier: String? = nil,
            attemptFailed: Bool = false,
            pendingCommand: String? = nil,
            asOf: Int64,
            revision: Int
        ) {
            self.phase = phase
            self.eta = eta
            self.late = late
            self.stale = stale
            self.courier = courier
            self.attemptFailed = attemptFailed
            self.pendingCommand = pendingCommand
            self.asOf = asOf
            self.revision = revision
        }

        enum CodingKeys: String, CodingKey, CaseIterable {
            case phase
            case eta
            case late
            case stale
            case courier
            case attemptFailed
            case pendingCommand
            case asOf
            case revision
        }

        /// Writes every member; the synthesised form would leave out unknown ones.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(phase, forKey: .phase)
            try container.encode(eta, forKey: .eta)
            try container.encode(late, forKey: .late)
            try container.encode(stale, forKey: .stale)
            try container.encode(courier, forKey: .courier)
            try container.encode(attemptFailed, forKey: .attemptFailed)
            try container.encode(pendingCommand, forKey: .pendingCommand)
            try container.encode(asOf, forKey: .asOf)
            try container.encode(revision, forKey: .revision)
        }
    }
}
