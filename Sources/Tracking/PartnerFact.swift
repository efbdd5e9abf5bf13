/// One event of a partner as the fold sees it.
package struct PartnerFact: Hashable, Sendable {
    package let key: FoldKey
    package let type: EventType
    package let data: PartnerData
    package let flags: FactFlags
    /// Identifies equal content under different ids: a digest of the kept members.
    package let contentDigest: UInt64

    package init(key: FoldKey, type: EventType, data: PartnerData, flags: FactFlags, contentDigest: UInt64) {
        self.key = key
        self.type = type
        self.data = data
        self.flags = flags
        self.contentDigest = contentDigest
    }

    package var reference: EventReference { EventReference(source: key.source, id: key.id) }
}

/// What a fact said: two of one time with equal content are one event told twice.
package struct Telling: Hashable, Sendable {
    package let type: EventType
    package let digest: UInt64
}

/// The place of a fact in the fold, independent of the order of arrival (engine rules, section 2).
package struct FoldKey: Hashable, Comparable, Sendable {
    /// Event time; receive time where the event has none or runs ahead of our clock.
    package let time: Instant
    package let rank: Int
    package let source: String
    package let id: String

    package init(time: Instant, rank: Int, source: String, id: String) {
        self.time = time
        self.rank = rank
        self.source = source
        self.id = id
    }

    package static func < (a: FoldKey, b: FoldKey) -> Bool {
        if a.time != b.time { return a.time < b.time }
        if a.rank != b.rank { return a.rank < b.rank }
        if a.source != b.source { return a.source.precedesByBytes(b.source) }
        return a.id.precedesByBytes(b.id)
    }
}

/// What was noticed about a fact when it was received; stored with it.
package struct FactFlags: OptionSet, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The event carried no time: receive time stands in.
    package static let timeAssumed = FactFlags(rawValue: 1)
    /// The event's time was more than five minutes ahead of ours.
    package static let clockAhead = FactFlags(rawValue: 2)
    /// The same source used this id for another order.
    package static let idShared = FactFlags(rawValue: 4)
}

/// A member that may be absent, explicitly unknown (null), or known.
package enum Stated<Value: Hashable & Sendable>: Hashable, Sendable {
    case absent
    case unknown
    case known(Value)
}

/// The members of an event's `data` that Doorstep keeps.
package struct PartnerData: Hashable, Sendable {
    package struct Restaurant: Hashable, Sendable {
        package var id: String?
        package var name: String?
        package var timeZone: String?
        package init(id: String? = nil, name: String? = nil, timeZone: String? = nil) {
            self.id = id
            self.name = name
            self.timeZone = timeZone
        }
    }

    package struct Courier: Hashable, Sendable {
        package var id: String?
        package var name: String?
        package init(id: String? = nil, name: String? = nil) {
            self.id = id
            self.name = name
        }
    }

    package var customer: CustomerID?
    package var restaurant: Restaurant?
    package var courier: Courier?
    package var eta = Stated<Instant>.absent
    package var pickupETA = Stated<Instant>.absent
    package var references: [String: String] = [:]
    package var displayNumber: String?
    package var scheduledFor: Instant?
    package var progress: Double?
    package var batch: String?
    package var reason: String?
    package var by: String?
    /// `order.reopened`: the phase to go back to.
    package var phase: Phase?
    /// The customer's request that this fact answers.
    package var answers: String?
    /// `event.voided`: the event it retracts.
    package var voids: EventReference?

    package init() {}
}
