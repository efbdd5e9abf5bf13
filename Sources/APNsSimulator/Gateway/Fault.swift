internal import Runtime

/// A scripted misbehaviour of APNs (contract 4, 5, 51, 52).
struct Fault: Sendable {
    enum Effect: Sendable, Hashable {
        /// Refuse with this answer.
        case answer(Refusal)
        /// Accept, deliver, and never answer.
        case lose
        /// Never answer; nothing is delivered.
        case stall
        /// Accept, and answer only after so many milliseconds.
        case delay(milliseconds: Int)
        /// Reset the stream; nothing is delivered.
        case reset(PushReply.ResetCode)
        /// Close the socket without GOAWAY; nothing is delivered.
        case drop
        /// Accept, deliver, then close the socket instead of answering.
        case acceptAndDrop
        /// The connection falls silent for ever; nothing is delivered.
        case freeze
        /// Something happens to the connection; the request itself goes on.
        case meanwhile(ConnectionAction)
    }

    /// Which requests; a member that is nil matches all.
    struct Match: Sendable {
        var token: String?
        var phone: String?
        var order: String?
        var channel: String?
        /// A bundle id for broadcasts and channel management, which have no topic.
        var topic: String?
        var event: RequestRecord.Event?
        var tokenKind: Recipient.Kind?
        var environment: PushEnvironment?
        var connection: UInt64?
        var priority: Int?
    }

    /// What a request is matched by.
    struct Subject: Sendable {
        var token: String?
        var phone: String?
        var order: String?
        var channel: String?
        let topic: String
        let event: RequestRecord.Event
        var tokenKind: Recipient.Kind?
        let environment: PushEnvironment
        let connection: UInt64
        var priority: Int?
    }

    let id: Int
    let effect: Effect
    let match: Match
    /// Matching requests to let pass first.
    var skip = 0
    /// How often it still strikes; nil is always.
    var times: Int?
    /// Until when, microseconds of the machine's clock; nil is for ever.
    var until: Int64?
    /// The share of matching requests that it strikes.
    var probability = 1.0
    /// Chances of its own, the same again for the same seed; nil: those of the world.
    var chances: SplitMix64?
    var applied = 0
}

extension Fault.Match {
    func covers(_ subject: Fault.Subject) -> Bool {
        func same<Value: Equatable>(_ wanted: Value?, _ found: Value?) -> Bool { wanted == nil || wanted == found }
        return same(token, subject.token) && same(phone, subject.phone) && same(order, subject.order)
            && same(channel, subject.channel) && same(topic, subject.topic) && same(event, subject.event)
            && same(tokenKind, subject.tokenKind)
            && same(environment, subject.environment) && same(connection, subject.connection)
            && same(priority, subject.priority)
    }
}

extension Fault.Effect {
    /// Whether a request it strikes is accepted and delivered all the same.
    var reachesPhone: Bool {
        switch self {
        case .lose, .delay, .acceptAndDrop, .meanwhile: true
        case .answer, .stall, .reset, .drop, .freeze: false
        }
    }

    var delivery: PushReply.Delivery {
        switch self {
        case .answer, .meanwhile: .answer
        case .lose, .stall, .freeze: .never
        case .delay(let milliseconds): .delayed(milliseconds: milliseconds)
        case .reset(let code): .reset(code)
        case .drop, .acceptAndDrop: .drop
        }
    }

    var connectionAction: ConnectionAction? {
        switch self {
        case .meanwhile(let action): action
        case .freeze: .freeze
        case .answer, .lose, .stall, .delay, .reset, .drop, .acceptAndDrop: nil
        }
    }

    /// Its name in the control API.
    var word: String {
        switch self {
        case .answer: "answer"
        case .lose: "lose"
        case .stall: "stall"
        case .delay: "delay"
        case .reset: "reset"
        case .drop: "drop"
        case .acceptAndDrop: "acceptAndDrop"
        case .freeze: "freeze"
        case .meanwhile(let action): action.word
        }
    }
}
