extension Activity {
    private static let storedVersion: UInt8 = 5

    /// The stored form, readable by every later release.
    package var stored: [UInt8] {
        var out = ByteWriter()
        out.put(byte: Self.storedVersion)
        out.put(state.storedWord)
        out.put(byte: origin.rawValue)
        out.put(activityID?.value)
        grant.write(&out)
        out.put(tokenGeneration)
        out.put(tokenAt)
        out.put(updateToken) { $1.write(&$0) }
        out.put(claimedAt)
        out.put(startedAt)
        out.put(shown) { $1.write(&$0) }
        out.put(intention) { $1.write(&$0) }
        out.put(lastRevision)
        out.put(lastStamp)
        out.put(startClaims)
        out.put(startAnswers)
        out.put(startsUnsent)
        out.put(byte: rang.rawValue)
        out.put(byte: repeated.rawValue)
        out.put(refusedDigest) { $0.put(fixed: $1) }
        out.put(sequence)
        out.put(registeredAt)
        out.put(lastSentAt)
        out.put(etaSentAt)
        out.put(each: urgentSentAt) { $0.put($1) }
        out.put(grantedFrom)
        out.put(tokenIsLate)
        out.put(rollsOver)
        out.put(tokenDied)
        out.put(byte: farewell.rawValue)
        out.put(attempts)
        out.put(failedAt)
        out.put(startResult?.rawValue)
        out.put(startTokenDeadSince)
        out.put(askedAt)
        out.put(mustEnd?.rawValue)
        out.put(settings) { $1.write(&$0) }
        out.put(channel?.value)
        alarm.write(&out)
        out.put(reason.rawValue)
        return out.bytes
    }

    package init(device: DeviceID, incarnation: Int, stored bytes: [UInt8]) throws(StoredFormError) {
        self.init(device: device, incarnation: incarnation)
        var reader = ByteReader(bytes)
        try reader.version(Self.storedVersion)
        state = try ActivityState(storedWord: try reader.text())
        origin = try reader.value(CardOrigin.self) { reader throws(StoredFormError) in try reader.byte() }
        activityID = try reader.optionalText().map { ActivityID($0) }
        grant = try Grant(from: &reader)
        tokenGeneration = try reader.int()
        tokenAt = try reader.optionalInstant()
        updateToken = try reader.optional { reader throws(StoredFormError) in try HeldToken(from: &reader) }
        claimedAt = try reader.optionalInstant()
        startedAt = try reader.optionalInstant()
        shown = try reader.optional { reader throws(StoredFormError) in try Shown(from: &reader) }
        intention = try reader.optional { reader throws(StoredFormError) in try Intention(from: &reader) }
        lastRevision = try reader.int()
        lastStamp = try reader.int64()
        startClaims = try reader.int()
        startAnswers = try reader.int()
        startsUnsent = try reader.int()
        rang = Alerts(rawValue: try reader.byte())
        repeated = Alerts(rawValue: try reader.byte())
        refusedDigest = try reader.optional { reader throws(StoredFormError) in try reader.fixed() }
        sequence = try reader.int64()
        registeredAt = try reader.optionalInstant()
        lastSentAt = try reader.optionalInstant()
        etaSentAt = try reader.optionalInstant()
        urgentSentAt = try reader.each { reader throws(StoredFormError) in try reader.instant() }
        grantedFrom = try reader.optionalInstant()
        tokenIsLate = try reader.flag()
        rollsOver = try reader.flag()
        tokenDied = try reader.flag()
        farewell = try reader.value(Farewell.self) { reader throws(StoredFormError) in try reader.byte() }
        attempts = try reader.int()
        failedAt = try reader.optionalInstant()
        startResult = try reader.optionalText().flatMap { StartResult(rawValue: $0) }
        startTokenDeadSince = try reader.optionalInstant()
        askedAt = try reader.optionalInstant()
        mustEnd = try reader.optionalText().flatMap { EndReason(rawValue: $0) }
        settings = try reader.optional { reader throws(StoredFormError) in try DeviceSettings(from: &reader) }
        channel = try reader.optionalText().map { ChannelID($0) }
        alarm = try Alarm(from: &reader)
        reason = try reader.value(Reason.self) { reader throws(StoredFormError) in try reader.text() }
    }
}

extension ActivityState {
    /// The word in the stored form; an ended card adds its reason.
    fileprivate var storedWord: String {
        switch self {
        case .ended(let why): "ended:\(why.rawValue)"
        case .none, .starting, .maybeStarted, .live, .liveOnChannel, .localOnly, .ending, .unreachable, .dismissed: name
        }
    }

    fileprivate init(storedWord word: String) throws(StoredFormError) {
        switch word {
        case "none": self = .none
        case "starting": self = .starting
        case "maybeStarted": self = .maybeStarted
        case "live": self = .live
        case "liveOnChannel": self = .liveOnChannel
        case "localOnly": self = .localOnly
        case "ending": self = .ending
        case "unreachable": self = .unreachable
        case "dismissed": self = .dismissed
        default:
            guard word.hasPrefix("ended:"), let why = EndReason(rawValue: String(word.dropFirst(6))) else {
                throw StoredFormError(.unknownValue)
            }
            self = .ended(why)
        }
    }
}

extension Grant {
    fileprivate func write(_ out: inout ByteWriter) {
        switch self {
        case .none: out.put(byte: 0)
        case .requested: out.put(byte: 1)
        case .granted: out.put(byte: 2)
        case .refused(let until):
            out.put(byte: 3)
            out.put(until)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(StoredFormError) {
        switch try reader.byte() {
        case 0: self = .none
        case 1: self = .requested
        case 2: self = .granted
        case 3: self = .refused(until: try reader.optionalInstant())
        default: throw StoredFormError(.unknownValue)
        }
    }
}

extension Shown {
    fileprivate func write(_ out: inout ByteWriter) {
        out.put(fixed: digest)
        out.put(phase.rawValue)
        out.put(eta)
        out.put(isLate)
        out.put(isStale)
        out.put(orderRevision)
        out.put(stamp)
        out.put(at)
        out.put(staleAt)
    }

    fileprivate init(from reader: inout ByteReader) throws(StoredFormError) {
        self.init(
            digest: try reader.fixed(),
            phase: try reader.value(Phase.self) { reader throws(StoredFormError) in try reader.int() },
            eta: try reader.optionalInstant(),
            isLate: try reader.flag(),
            isStale: try reader.flag(),
            orderRevision: try reader.int(),
            stamp: try reader.int64(),
            at: try reader.instant(),
            staleAt: try reader.instant()
        )
    }
}

extension Alarm {
    func write(_ out: inout ByteWriter) {
        out.put(generation)
        out.put(armed) { out, timer in
            out.put(Int64(timer.kind.rawValue))
            out.put(timer.generation)
            out.put(timer.dueAt)
        }
    }

    init(from reader: inout ByteReader) throws(StoredFormError) {
        self.init()
        generation = try reader.int()
        armed = try reader.optional { reader throws(StoredFormError) in
            Armed(
                kind: try reader.value(TimerKind.self) { reader throws(StoredFormError) in
                    Int32(truncatingIfNeeded: try reader.int64())
                },
                generation: try reader.int(),
                dueAt: try reader.instant()
            )
        }
    }
}
