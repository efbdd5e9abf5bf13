extension Channel {
    func write(_ out: inout ByteWriter) {
        out.put(state.word)
        out.put(id?.value)
        out.put(counted: card.stored)
    }

    init(from reader: inout ByteReader) throws(StoredFormError) {
        let (word, id) = (try reader.text(), try reader.optionalText())
        let card = try Activity(device: Self.device, incarnation: Self.incarnation, stored: Array(try reader.counted()))
        self.init(state: try State(word, id: id.map { ChannelID($0) }), card: card)
    }
}

extension Channel.State {
    fileprivate var word: String {
        switch self {
        case .opening: "opening"
        case .open: "open"
        case .closed: "closed"
        case .failed: "failed"
        }
    }

    fileprivate init(_ word: String, id: ChannelID?) throws(StoredFormError) {
        switch (word, id) {
        case ("opening", nil): self = .opening
        case ("open", let id?): self = .open(id)
        case ("closed", nil): self = .closed
        case ("failed", nil): self = .failed
        default: throw StoredFormError(.unknownValue)
        }
    }
}
