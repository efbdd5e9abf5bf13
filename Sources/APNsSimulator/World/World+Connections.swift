extension World {
    /// One connection of a sender.
    struct Connection: Sendable {
        /// Counted from 1 over all listeners.
        let number: UInt64
        let key: ConnectionKey
        let openedAt: Int64
        var closedAt: Int64?
        var requests = 0
        /// Requests that came and are not processed yet.
        var waiting = 0
        var pings = 0
        var auth = ConnectionAuth()
        /// The client showed a certificate; nobody has verified it.
        var hasCertificate = false
        var standing: ConnectionStanding
        /// When the sender last sent PING without any request since, microseconds of the machine's clock.
        var idlePing: Int64?
        /// When a request was last open, by the same clock.
        var busyAt: Int64?
        /// When a request last came, or the connection, by the machine's clock.
        var usedAt: Int64
    }

    struct ConnectionKey: Hashable, Sendable {
        /// What a listener serves.
        enum Service: String, Sendable {
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
    /// How long a PING may be under way; the number is ours.
    private static let crossing: Int64 = 10 * 1_000_000
    /// More connections than this in a minute look like an attack (contract 1.7.1); the number is ours.
    private static let churnLimit = 60
    private static let closedLimit = 2000

    /// A connection was made; too many of them in a minute are noted.
    mutating func opened(_ key: ConnectionKey, at now: Moment) {
        let number = connection(key, at: now)
        recentConnections.removeAll { $0 <= now.wall - 60_000_000 }
        recentConnections.append(now.wall)
        guard recentConnections.count > Self.churnLimit else { return }
        note(.connectionChurn, number, "\(recentConnections.count) connections in a minute", at: now)
    }

    mutating func showedCertificate(_ key: ConnectionKey) { connections[key]?.hasCertificate = true }

    mutating func closed(_ key: ConnectionKey, at now: Moment) {
        guard var connection = connections.removeValue(forKey: key) else { return }
        connection.closedAt = now.wall
        if closedConnections.count >= Self.closedLimit { closedConnections.removeFirst(Self.closedLimit / 2) }
        closedConnections.append(connection)
    }

    /// A request has its answer, or the sender has given it up.
    mutating func answered(_ key: ConnectionKey, at now: Moment) { connections[key]?.busyAt = now.wall }

    /// PING was answered by the transport; here it is judged. `isWaiting` says that requests are open: then nothing is
    /// wrong with it, nor with one that crossed the last answer.
    mutating func pinged(_ key: ConnectionKey, isWaiting: Bool = false, at now: Moment) {
        guard let connection = connections[key] else { return }
        connections[key]?.pings += 1
        if isWaiting { connections[key]?.busyAt = now.wall }
        if isWaiting || now.wall - (connection.busyAt ?? .min / 2) < Self.crossing { return }
        if let last = connection.idlePing, now.wall - last < Self.pingInterval {
            note(.frequentPing, connection.number, "\((now.wall - last) / 1_000_000) s after the last, idle", at: now)
        }
        connections[key]?.idlePing = now.wall
    }

    mutating func prioritized(_ key: ConnectionKey, at now: Moment) {
        guard let connection = connections[key] else { return }
        note(.priorityFrame, connection.number, "", at: now)
    }

    /// A request was answered with 431 by the transport.
    mutating func sentTooLargeFields(_ key: ConnectionKey, at now: Moment) {
        guard let connection = connections[key] else { return }
        note(.oversizedFields, connection.number, "more than maxHeaderListSize", at: now)
    }

    /// A stream above the limit that the sender had acknowledged.
    mutating func exceededStreams(_ key: ConnectionKey, at now: Moment) {
        guard let connection = connections[key] else { return }
        note(.excessStream, connection.number, "", at: now)
    }

    /// A request came on a connection: its number.
    mutating func requested(on key: ConnectionKey, at now: Moment) -> UInt64 {
        let number = connection(key, at: now)
        connections[key]?.idlePing = nil
        connections[key]?.usedAt = now.wall
        connections[key]?.requests += 1
        return number
    }

    mutating func wait(on key: ConnectionKey) { connections[key]?.waiting += 1 }

    mutating func stopWaiting(on key: ConnectionKey) { connections[key]?.waiting -= 1 }

    /// Sends away connections that nobody has used for as long as the knob says.
    mutating func endIdleConnections(at now: Moment) {
        guard let limit = knobs.transport.idleTimeout else { return }
        for key in connections.keys where now.wall - (connections[key]?.usedAt ?? now.wall) >= limit {
            connections[key]?.usedAt = .max / 2
            command(.goAway(reason: Reason.idleTimeout.rawValue), to: key)
        }
    }

    /// The number of a connection, new ones being counted.
    private mutating func connection(_ key: ConnectionKey, at now: Moment) -> UInt64 {
        if let known = connections[key] { return known.number }
        lastConnection += 1
        connections[key] = Connection(
            number: lastConnection,
            key: key,
            openedAt: now.wall,
            standing: ConnectionStanding(limits: knobs.standing),
            usedAt: now.wall
        )
        return lastConnection
    }

    /// Something the listener is to do to a connection by itself, not with an answer.
    struct Command: Sendable {
        let key: ConnectionKey
        let action: ConnectionAction
    }

    mutating func command(_ action: ConnectionAction, to key: ConnectionKey) {
        commands.append(Command(key: key, action: action))
    }

    mutating func takeCommands() -> [Command] {
        defer { commands = [] }
        return commands
    }

    private mutating func note(_ rule: Violation.Rule, _ connection: UInt64, _ detail: String, at now: Moment) {
        violations.add(Violation(rule: rule, at: now.wall, request: nil, connection: connection, detail: detail))
    }
}
