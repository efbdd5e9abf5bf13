extension HeldToken {
    func write(_ out: inout ByteWriter) {
        out.put(id.value)
        out.put(claim)
        out.put(deadSince)
    }

    init(from reader: inout ByteReader) throws(StoredFormError) {
        self.init(
            id: TokenID(try reader.text()),
            claim: try reader.int(),
            deadSince: try reader.optionalInstant()
        )
    }
}
