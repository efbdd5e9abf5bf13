internal import JSONText
internal import Tracking

/// One number or switch of a policy: how it is read, shown and explained. `Policy.members` lists each once.
struct PolicyMember: Sendable {
    /// The sections of the reference, as in `Policy` itself.
    enum Section: String, CaseIterable, Sendable {
        case start = "Start"
        case device = "Device"
        case update = "Update"
        case fallback = "Fallback"
        case broadcast = "Broadcast"
        case stale = "Stale"
        case end = "End"
        case delivery = "Delivery"
    }

    /// Where a member lies in the policy, and what it may be; durations in seconds.
    enum Value: Sendable {
        case phase(any WritableKeyPath<Policy, Phase> & Sendable)
        case seconds(any WritableKeyPath<Policy, Duration> & Sendable, ClosedRange<Int64>)
        /// Null is a value too: no limit.
        case secondsOrNull(any WritableKeyPath<Policy, Duration?> & Sendable, ClosedRange<Int64>)
        case count(any WritableKeyPath<Policy, Int> & Sendable, ClosedRange<Int64>)
        case percent(any WritableKeyPath<Policy, Int> & Sendable, ClosedRange<Int64>)
        case flag(any WritableKeyPath<Policy, Bool> & Sendable)
    }

    /// Who says that the number is what it is.
    enum Origin: Hashable, Sendable {
        /// Apple publishes none.
        case ours
        /// Ours, within a bound of Apple's, which is told.
        case within(String)
        /// Apple's own number.
        case apple(String)
    }

    let name: String
    let section: Section
    let value: Value
    let meaning: String
    let origin: Origin

    init(_ name: String, _ section: Section, _ value: Value, _ meaning: String, _ origin: Origin = .ours) {
        self.name = name
        self.section = section
        self.value = value
        self.meaning = meaning
        self.origin = origin
    }
}

extension PolicyMember {
    /// The member of `policy` as JSON.
    func json(of policy: Policy) -> JSON {
        switch value {
        case .phase(let path): .string(policy[keyPath: path].name)
        case .seconds(let path, _): .seconds(policy[keyPath: path])
        case .secondsOrNull(let path, _): policy[keyPath: path].map { .seconds($0) } ?? .null
        case .count(let path, _), .percent(let path, _): .integer(policy[keyPath: path])
        case .flag(let path): .bool(policy[keyPath: path])
        }
    }

    /// Takes the member from `fields` where it is given; what is wrong is told with the rule and what to do.
    func read(_ fields: inout ConfigurationFields, into policy: inout Policy) {
        switch value {
        case .phase(let path):
            guard let name = fields.text(name) else { return }
            if let phase = Phase(name: name), !phase.isFinal {
                policy[keyPath: path] = phase
                return
            }
            fields.complain(self.name, "must be placed, accepted, on_the_way or courier_waiting")
        case .seconds(let path, let range):
            if let duration = duration(&fields, range) { policy[keyPath: path] = duration }
        case .secondsOrNull(let path, let range):
            if fields.isNull(name) {
                policy[keyPath: path] = nil
                return
            }
            if let duration = duration(&fields, range) { policy[keyPath: path] = duration }
        case .count(let path, let range), .percent(let path, let range):
            guard let value = fields.value(name) else { return }
            if let number = value.int64Value, range.contains(number) {
                policy[keyPath: path] = Int(number)
                return
            }
            fields.complain(name, "must be a whole number from \(bounds(range))")
        case .flag(let path):
            if let flag = fields.bool(name) { policy[keyPath: path] = flag }
        }
    }

    private func duration(_ fields: inout ConfigurationFields, _ range: ClosedRange<Int64>) -> Duration? {
        guard let value = fields.value(name) else { return nil }
        if let seconds = value.doubleValue, Double(range.lowerBound) <= seconds, seconds <= Double(range.upperBound) {
            return .seconds(seconds)
        }
        fields.complain(name, "must be a number of seconds from \(bounds(range))")
        return nil
    }

    /// The rule, its reason where that is Apple's, and the way out.
    private func bounds(_ range: ClosedRange<Int64>) -> String {
        let reason =
            switch origin {
            case .ours: ""
            case .within(let bound), .apple(let bound): " (\(bound))"
            }
        return "\(range.lowerBound) to \(range.upperBound)\(reason); leave it out for \(json(of: Policy()))"
    }
}

extension JSON {
    /// A duration in seconds, whole where it is.
    static func seconds(_ duration: Duration) -> JSON {
        let (seconds, attoseconds) = duration.components
        return attoseconds == 0 ? .integer(seconds) : .double(Double(seconds) + Double(attoseconds) / 1e18)
    }
}
