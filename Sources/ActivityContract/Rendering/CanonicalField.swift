/// The fields of a `CanonicalCard` that a contract may draw from, by kind: the kind says how a field can be written.
package enum CanonicalField: Hashable, Sendable {
    case phase
    /// Sent by a partner or unknown; never worked out from elapsed time.
    case progress
    case text(CanonicalText)
    case count(CanonicalCount)
    case flag(CanonicalFlag)
    case moment(CanonicalMoment)

    /// Nil for a name that no field has.
    init?(name: String) {
        if name == "phase" {
            self = .phase
        } else if name == "progress" {
            self = .progress
        } else if let text = CanonicalText(rawValue: name) {
            self = .text(text)
        } else if let count = CanonicalCount(rawValue: name) {
            self = .count(count)
        } else if let flag = CanonicalFlag(rawValue: name) {
            self = .flag(flag)
        } else if let moment = CanonicalMoment(rawValue: name) {
            self = .moment(moment)
        } else {
            return nil
        }
    }

    /// Every name there is.
    static let names =
        ["phase", "progress"] + CanonicalText.allCases.map(\.rawValue) + CanonicalCount.allCases.map(\.rawValue)
        + CanonicalFlag.allCases.map(\.rawValue) + CanonicalMoment.allCases.map(\.rawValue)
}

package enum CanonicalText: String, Hashable, Sendable, CaseIterable {
    case order
    case displayNumber
    case restaurant
    case courier
    case pendingCommand

    /// Nil when unknown. What others chose is made fit for a card; the order's id must stay what it is.
    func value(in card: CanonicalCard) -> String? {
        switch self {
        case .order: card.attributes.order
        case .displayNumber: card.attributes.displayNumber.map { ForeignText.short($0) }
        case .restaurant: card.attributes.restaurant.map { ForeignText.short($0) }
        case .courier: card.state.courier.map { ForeignText.short($0) }
        case .pendingCommand: card.state.pendingCommand.map { ForeignText.short($0) }
        }
    }
}

package enum CanonicalCount: String, Hashable, Sendable, CaseIterable {
    case incarnation
    case revision

    func value(in card: CanonicalCard) -> Int {
        switch self {
        case .incarnation: card.attributes.incarnation
        case .revision: card.state.revision
        }
    }
}

package enum CanonicalFlag: String, Hashable, Sendable, CaseIterable {
    case late
    case stale
    case attemptFailed

    func value(in card: CanonicalCard) -> Bool {
        switch self {
        case .late: card.state.late
        case .stale: card.state.stale
        case .attemptFailed: card.state.attemptFailed
        }
    }
}

package enum CanonicalMoment: String, Hashable, Sendable, CaseIterable {
    case eta
    case promisedAt
    case asOf

    /// Unix seconds; nil when unknown.
    func value(in card: CanonicalCard) -> Int64? {
        switch self {
        case .eta: card.state.eta
        case .promisedAt: card.attributes.promisedAt
        case .asOf: card.state.asOf
        }
    }
}
