extension Content {
    func write(_ out: inout ByteWriter) {
        out.put(phase.rawValue)
        out.put(eta)
        out.put(isLate)
        out.put(isStale)
        out.put(courierName)
        out.put(attemptFailed)
        out.put(progress) { $0.put(fixed: $1.bitPattern) }
        out.put(pendingCommand)
    }

    init(from reader: inout ByteReader) throws(StoredFormError) {
        self.init(
            phase: try reader.value(Phase.self) { reader throws(StoredFormError) in try reader.int() },
            eta: try reader.optionalInstant(),
            isLate: try reader.flag(),
            isStale: try reader.flag(),
            courierName: try reader.optionalText(),
            attemptFailed: try reader.flag(),
            progress: try reader.optional { reader throws(StoredFormError) in Double(bitPattern: try reader.fixed()) },
            pendingCommand: try reader.optionalText()
        )
    }
}

extension Intention {
    private static let storedVersion: UInt8 = 4

    /// The stored form: what the sender reads from the slot.
    package var stored: [UInt8] {
        var out = ByteWriter()
        write(&out)
        return out.bytes
    }

    package init(stored bytes: [UInt8]) throws(StoredFormError) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
    }

    func write(_ out: inout ByteWriter) {
        out.put(byte: Self.storedVersion)
        out.put(revision)
        out.put(byte: verb.rawValue)
        out.put(priority)
        out.put(byte: alerts.rawValue)
        out.put(alertsUntil)
        content.write(&out)
        out.put(attributes.displayNumber)
        out.put(attributes.restaurant)
        out.put(attributes.promisedAt)
        out.put(orderRevision)
        out.put(asOf)
        out.put(dueAt)
        out.put(staleAfter)
        out.put(expiresAfter)
        out.put(dismissAfter) { $0.put($1) }
        out.put(reason.rawValue)
        settings.write(&out)
        out.put(channel?.value)
    }

    init(from reader: inout ByteReader) throws(StoredFormError) {
        try reader.version(Self.storedVersion)
        self.init(
            revision: try reader.int(),
            verb: try reader.value(Verb.self) { reader throws(StoredFormError) in try reader.byte() },
            priority: try reader.int(),
            alerts: Alerts(rawValue: try reader.byte()),
            alertsUntil: try reader.optionalInstant(),
            content: try Content(from: &reader),
            attributes: CardAttributes(
                displayNumber: try reader.optionalText(),
                restaurant: try reader.optionalText(),
                promisedAt: try reader.optionalInstant()
            ),
            orderRevision: try reader.int(),
            asOf: try reader.instant(),
            dueAt: try reader.optionalInstant(),
            staleAfter: try reader.duration(),
            expiresAfter: try reader.duration(),
            dismissAfter: try reader.optional { reader throws(StoredFormError) in try reader.duration() },
            reason: try reader.value(Reason.self) { reader throws(StoredFormError) in try reader.text() },
            settings: try DeviceSettings(from: &reader),
            channel: try reader.optionalText().map { ChannelID($0) }
        )
    }
}
