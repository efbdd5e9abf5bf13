private import Crypto

/// The checks of single headers that pushes and broadcasts share (contract 12-14).
extension PushRequest {
    func checkedPriority(_ pushType: PushType?, _ laxities: inout [Laxity]) throws(Refusal) -> Int {
        guard let word = first("apns-priority") else {
            laxities.append(.missingPriority)
            return 10
        }
        switch word {
        case "10": return 10
        case "5": return 5
        case "1":
            if pushType == .liveactivity { laxities.append(.priorityOne) }
            return 1
        case _: throw Refusal(.badPriority)
        }
    }

    func checkedExpiration(_ laxities: inout [Laxity]) throws(Refusal) -> Int64? {
        guard let word = first("apns-expiration") else {
            laxities.append(.missingExpiration)
            return nil
        }
        guard let seconds = Int64(word), seconds >= 0, !word.hasPrefix("+") else { throw Refusal(.badExpirationDate) }
        return seconds
    }

    /// `apns-id`, or `apns-request-id` of a broadcast.
    func checkMessageID(_ name: String, _ laxities: inout [Laxity]) throws(Refusal) {
        guard let word = first(name) else { return }
        guard UUID128(word) != nil else { throw Refusal(.badMessageID) }
        if word.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }) {
            laxities.append(.upperCaseMessageID)
        }
    }

    /// Whether a header that matters stands there twice.
    var hasRepeatedHeaders: Bool {
        headers.enumerated().contains { index, header in
            let matters = header.name.hasPrefix("apns-") || header.name == "authorization"
            return matters && headers[..<index].contains { $0.name == header.name }
        }
    }

    func checkSize(_ limit: Int) throws(Refusal) {
        guard !body.isEmpty else { throw Refusal(.payloadEmpty) }
        guard body.count <= limit else { throw Refusal(.payloadTooLarge) }
    }
}

/// What a request may do that Apple's pages advise against without refusing it.
enum Laxity: String, Sendable, Hashable {
    case missingPushType
    case missingPriority
    case missingExpiration
    case priorityOne
    case upperCaseMessageID
    /// Broadcasts have no topic (sender rule 50).
    case topicOnBroadcast
}
