extension DeviceSettings {
    func write(_ out: inout ByteWriter) {
        out.put(byte: environment.rawValue)
        out.put(attributesType)
        out.put(locale)
        out.put(timeZone)
        out.put(osVersion)
        out.put(appBuild)
        out.put(activitiesEnabled)
        out.put(frequentPushes)
        out.put(notificationsAllowed)
    }

    init(from reader: inout ByteReader) throws(StoredFormError) {
        environment = try reader.value(APNsEnvironment.self) { reader throws(StoredFormError) in try reader.byte() }
        attributesType = try reader.optionalText()
        locale = try reader.optionalText()
        timeZone = try reader.optionalText()
        osVersion = try reader.optionalText()
        appBuild = try reader.optionalText()
        activitiesEnabled = try reader.flag()
        frequentPushes = try reader.flag()
        notificationsAllowed = try reader.flag()
    }
}

extension DeviceSnapshot {
    private static let storedVersion: UInt8 = 2

    /// The stored form, readable by every later release.
    package var stored: [UInt8] {
        var out = ByteWriter()
        out.put(byte: Self.storedVersion)
        write(&out)
        return out.bytes
    }

    package init(stored bytes: [UInt8]) throws(StoredFormError) {
        var reader = ByteReader(bytes)
        try reader.version(Self.storedVersion)
        try self.init(from: &reader)
    }

    func write(_ out: inout ByteWriter) {
        out.put(device.value)
        out.put(customer.value)
        out.put(generation)
        out.put(hasStartToken)
        out.put(hasDeviceToken)
        settings.write(&out)
    }

    init(from reader: inout ByteReader) throws(StoredFormError) {
        self.init(
            device: DeviceID(try reader.text()),
            customer: CustomerID(try reader.text()),
            generation: try reader.int(),
            hasStartToken: try reader.flag(),
            hasDeviceToken: try reader.flag(),
            settings: try DeviceSettings(from: &reader)
        )
    }
}

extension DeviceStream {
    private static let storedVersion: UInt8 = 4

    /// The stored form, readable by every later release.
    package var stored: [UInt8] {
        var out = ByteWriter()
        out.put(byte: Self.storedVersion)
        out.put(customer?.value)
        settings.write(&out)
        out.put(generation)
        out.put(hasStartToken)
        out.put(startTokenAt)
        out.put(startToken) { $1.write(&$0) }
        out.put(hasDeviceToken)
        out.put(deviceTokenAt)
        out.put(deviceToken) { $1.write(&$0) }
        out.put(successor?.value)
        out.put(sequence)
        for list in [places, waiting] {
            out.put(each: list) { out, place in
                out.put(place.order.value)
                out.put(place.incarnation)
            }
        }
        out.put(each: ledger) { $0.put($1) }
        out.put(lastStartAt)
        out.put(unanswered)
        out.put(version)
        return out.bytes
    }

    package init(id: DeviceID, stored bytes: [UInt8]) throws(StoredFormError) {
        self.init(id: id)
        var reader = ByteReader(bytes)
        try reader.version(Self.storedVersion)
        customer = try reader.optionalText().map { CustomerID($0) }
        settings = try DeviceSettings(from: &reader)
        generation = try reader.int()
        hasStartToken = try reader.flag()
        startTokenAt = try reader.optionalInstant()
        startToken = try reader.optional { reader throws(StoredFormError) in try HeldToken(from: &reader) }
        hasDeviceToken = try reader.flag()
        deviceTokenAt = try reader.optionalInstant()
        deviceToken = try reader.optional { reader throws(StoredFormError) in try HeldToken(from: &reader) }
        successor = try reader.optionalText().map { DeviceID($0) }
        sequence = try reader.int64()
        places = try Self.places(from: &reader)
        waiting = try Self.places(from: &reader)
        ledger = try reader.each { reader throws(StoredFormError) in try reader.instant() }
        lastStartAt = try reader.optionalInstant()
        unanswered = try reader.int()
        version = try reader.int()
    }

    private static func places(from reader: inout ByteReader) throws(StoredFormError) -> [Place] {
        try reader.each { reader throws(StoredFormError) in
            Place(order: OrderID(try reader.text()), incarnation: try reader.int())
        }
    }
}
