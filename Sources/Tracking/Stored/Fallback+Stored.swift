extension Fallback {
    func write(_ out: inout ByteWriter) {
        out.put(intention) { $1.write(&$0) }
        out.put(lastRevision)
        out.put(byte: told.rawValue)
        out.put(byte: givenUp.rawValue)
        out.put(attempts)
        out.put(failedAt)
    }

    init(from reader: inout ByteReader) throws(StoredFormError) {
        self.init()
        intention = try reader.optional { reader throws(StoredFormError) in try Intention(from: &reader) }
        lastRevision = try reader.int()
        told = Alerts(rawValue: try reader.byte())
        givenUp = Alerts(rawValue: try reader.byte())
        attempts = try reader.int()
        failedAt = try reader.optionalInstant()
    }
}
