extension World {
    /// One connection of a sender.
    struct Connection: Sendable {
        /// Counted from 1 over all listeners.
        let number: UInt64
        var auth = ConnectionAuth()
        var standing: ConnectionStanding
        /// When the sender last sent PING without any request since, microseconds of the machine's clock.
        var idlePing: Int64?
    }

    struct ConnectionKey: Hashable, Sendable {
        /// What a listener serves.
        enum Service: Sendable {
            /// Pushes and broadcasts.
            case provider
            /// Channels.
            case management
        }

        let environment: PushEnvironment
        var service = Service.provider
        /// Counted by the listener.
        let id: UInt64
    }

    /// Apple: a PING after an hour of inactivity is fine (contract 1.7.2).
    private static let pingInterval: Int64 = 3600 * 1_000_000
    /// More connections than this in a minute look like an attack (contract 1.7.1); the number is ours.
    private static let churnLimit = 60

    /// A connection was made; too many of them in a minute are noted.
    mutating func opened(_ key: ConnectionKey, at now: Moment) {
        let number = requested(on: key)
        recentConnections.removeAll { $0 <= now.wall - 60_000_000 }
        recentConnections.append(now.wall)
        guard recentConnections.count > Self.churnLimit else { return }
        note(.connectionChurn, number, "\(recentConnections.count) connections in a minute", at: now)
    }

    mutating func closed(_ key: ConnectionKey) { connections[key] = nil }

    /// PING was answered by the transport; here it is judged.
    mutating func pinged(_ key: ConnectionKey, at now: Moment) {
        guard let connection = connections[key] else { return }
        if let last = connection.idlePing, now.wall - last < Self.pingInterval {
            note(.frequentPing, connection.number, "\((now.wall - last) / 1_000_000) s after the last, idle", at: now)
        }
        connections[key]?.idlePing = now.wall
    }

    mutating func prioritized(_ key: ConnectionKey, at now: Moment) {
        guard let connection = connections[key] else { return }
        note(.priorityFrame, connection.number, "", at: now)
    }

    /// A request came on a connection: its number, new ones being counted.
    mutating func requested(on key: ConnectionKey) -> UInt64 {
        if let known = connections[key] {
            connections[key]?.idlePing = nil
            return known.number
        }
        lastConnection += 1
        connections[key] = Connection(
            number: lastConnection,
            standing: ConnectionStanding(limits: knobs.standing)
        )
        return lastConnection
    }

    private mutating func note(_ rule: Violation.Rule, _ connection: UInt64, _ detail: String, at now: Moment) {
        violations.add(Violation(rule: rule, at: now.wall, request: nil, connection: connection, detail: detail))
    }
}
