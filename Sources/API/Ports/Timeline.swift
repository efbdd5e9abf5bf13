package import JSONText
package import Tracking

/// Which part of a list is wanted.
package struct Page: Hashable, Sendable {
    /// The key of the last item already seen, as an earlier `Slice.next` gave it; nil: from the start.
    package var after: [UInt8]?
    /// 1...1,000.
    package var limit: Int

    package init(after: [UInt8]? = nil, limit: Int = 100) {
        self.after = after
        self.limit = limit
    }
}

/// A part of a list, and the key to ask for the rest with; nil at the end. The key's bytes mean nothing to the API.
package struct Slice<Item: Sendable>: Sendable {
    package var items: [Item]
    package var next: [UInt8]?

    package init(items: [Item], next: [UInt8]? = nil) {
        self.items = items
        self.next = next
    }
}

/// A line of `timeline?view=facts`: independent of positions, receive times and pushes.
package struct FactEntry: Hashable, Sendable {
    /// Event time; the receive time where the event carried none.
    package var time: Int64
    package var type: EventType
    package var sourceType: String?
    package var source: String
    package var id: String
    package var effect: FoldEffect
    /// After this fact.
    package var phase: Phase

    package init(
        time: Int64,
        type: EventType,
        sourceType: String?,
        source: String,
        id: String,
        effect: FoldEffect,
        phase: Phase
    ) {
        self.time = time
        self.type = type
        self.sourceType = sourceType
        self.source = source
        self.id = id
        self.effect = effect
        self.phase = phase
    }
}

/// A line of `timeline?view=full`: a fact of any kind as it lies in the log.
package struct TimelineEntry: Hashable, Sendable {
    package var receipt: Receipt
    package var recordedAt: Int64
    package var occurredAt: Int64?
    package var type: String
    package var sourceType: String?
    package var source: String
    package var id: String
    package var flags: FactFlags
    /// The key or person that caused it; nil for our own facts.
    package var actor: String?
    /// Partner facts: their effect and the phase after them in the final fold.
    package var effect: FoldEffect?
    package var phase: Phase?
    /// What our own facts say (push, device, timer), without tokens and names.
    package var details: JSONObject
    /// What was decided when it was folded.
    package var decisions: [TimelineDecision]

    package init(
        receipt: Receipt,
        recordedAt: Int64,
        occurredAt: Int64?,
        type: String,
        sourceType: String?,
        source: String,
        id: String,
        flags: FactFlags,
        actor: String?,
        effect: FoldEffect?,
        phase: Phase?,
        details: JSONObject = [:],
        decisions: [TimelineDecision] = []
    ) {
        self.receipt = receipt
        self.recordedAt = recordedAt
        self.occurredAt = occurredAt
        self.type = type
        self.sourceType = sourceType
        self.source = source
        self.id = id
        self.flags = flags
        self.actor = actor
        self.effect = effect
        self.phase = phase
        self.details = details
        self.decisions = decisions
    }
}

/// A decision about one card, with its reason; also the decision to do nothing.
package struct TimelineDecision: Hashable, Sendable {
    package var device: DeviceID
    package var incarnation: Int
    /// `start`, `update`, `refresh`, `markStale`, `end`, `alert`, `wait`, `nothing`.
    package var verdict: String
    package var reason: String
    package var policyVersion: Int
    /// Priority, alerts, until when, as far as the verdict has them.
    package var details: JSONObject

    package init(
        device: DeviceID,
        incarnation: Int,
        verdict: String,
        reason: String,
        policyVersion: Int,
        details: JSONObject = [:]
    ) {
        self.device = device
        self.incarnation = incarnation
        self.verdict = verdict
        self.reason = reason
        self.policyVersion = policyVersion
        self.details = details
    }
}
