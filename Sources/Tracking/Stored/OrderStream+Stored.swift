extension OrderStream {
    /// Names the format of `stored`; kept beside it in the database.
    package static let storedVersion: UInt8 = 5

    /// The stored form without the cards, which have rows of their own.
    package var stored: [UInt8] {
        var out = ByteWriter()
        out.put(byte: Self.storedVersion)
        order.write(&out)
        out.put(asOf)
        out.put(openedAt)
        out.put(each: links.sorted { $0.key.value.precedesByBytes($1.key.value) }) { out, link in
            out.put(link.key.value)
            out.put(link.value)
        }
        let known = devices.values.sorted { $0.device.value.precedesByBytes($1.device.value) }
        out.put(each: known) { $1.write(&$0) }
        let alerts = fallbacks.sorted { $0.key.value.precedesByBytes($1.key.value) }
        out.put(each: alerts) { out, alert in
            out.put(alert.key.value)
            alert.value.write(&out)
        }
        out.put(channel) { $1.write(&$0) }
        out.put(each: earlyReports) { out, report in
            out.put(report.activity.value)
            out.put(report.state.rawValue)
            out.put(report.sequence) { $0.put($1) }
        }
        out.put(pendingCommand) { out, command in
            out.put(command.id)
            out.put(command.command)
        }
        out.put(attemptHeardAt)
        out.put(commandHeardAt)
        alarm.write(&out)
        out.put(isParked)
        out.put(closed)
        out.put(version)
        out.put(settledVersion)
        return out.bytes
    }

    package init(id: OrderID, stored bytes: [UInt8], activities: [Activity]) throws(StoredFormError) {
        self.init(id: id)
        var reader = ByteReader(bytes)
        try reader.version(Self.storedVersion)
        order = try Order(from: &reader)
        asOf = try reader.optionalInstant()
        openedAt = try reader.optionalInstant()
        for (customer, answered) in try reader.each({ reader throws(StoredFormError) in
            (CustomerID(try reader.text()), try reader.flag())
        }) {
            links[customer] = answered
        }
        for snapshot in try reader.each({ reader throws(StoredFormError) in try DeviceSnapshot(from: &reader) }) {
            devices[snapshot.device] = snapshot
        }
        for (device, fallback) in try reader.each({ reader throws(StoredFormError) in
            (DeviceID(try reader.text()), try Fallback(from: &reader))
        }) {
            fallbacks[device] = fallback
        }
        channel = try reader.optional { reader throws(StoredFormError) in try Channel(from: &reader) }
        earlyReports = try reader.each { reader throws(StoredFormError) in
            CardReport(
                activity: ActivityID(try reader.text()),
                state: try reader.value(ReportedState.self) { reader throws(StoredFormError) in try reader.text() },
                sequence: try reader.optional { reader throws(StoredFormError) in try reader.int64() }
            )
        }
        pendingCommand = try reader.optional { reader throws(StoredFormError) in
            PendingCommand(id: try reader.text(), command: try reader.text())
        }
        attemptHeardAt = try reader.optionalInstant()
        commandHeardAt = try reader.optionalInstant()
        alarm = try Alarm(from: &reader)
        isParked = try reader.flag()
        closed = try reader.flag()
        version = try reader.int()
        settledVersion = try reader.int()
        for card in activities { add(card) }
    }
}
