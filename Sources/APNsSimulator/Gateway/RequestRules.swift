private import Crypto

/// The checks of one request that need nothing but the request and the token store (contract 8-16), in the order
/// method, path, token, topic, push type, priority, expiration, ids, collapse id, size. Authentication follows.
///
/// Content is deliberately not looked at: APNs knows no app's types (contract 17).
struct RequestRules: Sendable {
    static let suffix = ".push-type.liveactivity"
    static let bodyLimit = 4096

    /// What a request may do that Apple's pages advise against without refusing it.
    enum Laxity: String, Sendable, Hashable {
        case missingPushType
        case missingPriority
        case missingExpiration
        case priorityOne
        case upperCaseMessageID
    }

    struct Admission: Sendable {
        let order: PushOrder
        let laxities: [Laxity]
    }

    /// Bundle ids that exist, in the order of the settings.
    let bundleIDs: [String]
    let environment: PushEnvironment

    func check(_ request: PushRequest, recipient: (String) -> Recipient?) throws(Refusal) -> Admission {
        let (token, found) = try addressee(request, recipient: recipient)
        try refuseRepeatedHeaders(request)
        let topic = try checkedTopic(request, for: found)
        var laxities: [Laxity] = []
        let pushType = try checkedPushType(request, topic: topic, kind: found.kind, &laxities)
        let priority = try checkedPriority(request, pushType, &laxities)
        let expiration = try checkedExpiration(request, &laxities)
        try checkMessageID(request, &laxities)
        let collapseID = request.first("apns-collapse-id")
        if let collapseID, collapseID.isEmpty || collapseID.utf8.count > 64 { throw Refusal(.badCollapseID) }
        guard !request.body.isEmpty else { throw Refusal(.payloadEmpty) }
        guard request.body.count <= Self.bodyLimit else { throw Refusal(.payloadTooLarge) }
        let order = PushOrder(
            token: token,
            recipient: found,
            topic: topic,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID,
            body: request.body
        )
        return Admission(order: order, laxities: laxities)
    }

    private func addressee(
        _ request: PushRequest,
        recipient: (String) -> Recipient?
    ) throws(Refusal) -> (String, Recipient) {
        let token = try Self.token(inPath: request.path, method: request.method)
        guard let found = recipient(token), found.environment == environment else { throw Refusal(.badDeviceToken) }
        return (token, found)
    }

    /// Behaviours 8 and 9; the method is judged before the path.
    static func token(inPath path: String, method: String) throws(Refusal) -> String {
        guard method == "POST" else { throw Refusal(.methodNotAllowed) }
        let prefix = "/3/device"
        guard path.hasPrefix(prefix) else { throw Refusal(.badPath) }
        let rest = path.dropFirst(prefix.count)
        guard rest.isEmpty || rest.hasPrefix("/") else { throw Refusal(.badPath) }
        let token = rest.dropFirst()
        guard !token.isEmpty else { throw Refusal(.missingDeviceToken) }
        guard !token.contains("/") else { throw Refusal(.badPath) }
        guard token.utf8.count.isMultiple(of: 2), token.utf8.allSatisfy(isHexDigit) else {
            throw Refusal(.badDeviceToken)
        }
        return token.lowercased()
    }

    private func refuseRepeatedHeaders(_ request: PushRequest) throws(Refusal) {
        for (index, header) in request.headers.enumerated() {
            let matters = header.name.hasPrefix("apns-") || header.name == "authorization"
            if matters, request.headers[..<index].contains(where: { $0.name == header.name }) {
                throw Refusal(.duplicateHeaders)
            }
        }
    }

    private func checkedTopic(_ request: PushRequest, for recipient: Recipient) throws(Refusal) -> String {
        guard let topic = request.first("apns-topic"), !topic.isEmpty else { throw Refusal(.missingTopic) }
        let isLive = topic.hasSuffix(Self.suffix)
        let bundleID = isLive ? String(topic.dropLast(Self.suffix.count)) : topic
        guard bundleIDs.contains(bundleID) else { throw Refusal(.topicDisallowed) }
        guard bundleIDs[recipient.app] == bundleID, isLive == (recipient.kind != .device) else {
            throw Refusal(.deviceTokenNotForTopic)
        }
        return topic
    }

    private func checkedPushType(
        _ request: PushRequest,
        topic: String,
        kind: Recipient.Kind,
        _ laxities: inout [Laxity]
    ) throws(Refusal) -> PushType? {
        guard let word = request.first("apns-push-type") else {
            laxities.append(.missingPushType)
            return nil
        }
        guard let type = PushType(rawValue: word) else { throw Refusal(.invalidPushType) }
        // The type and the topic must name the same service (behaviour 10).
        guard (type == .liveactivity) == topic.hasSuffix(Self.suffix) else { throw Refusal(.deviceTokenNotForTopic) }
        return type
    }

    private func checkedPriority(
        _ request: PushRequest,
        _ pushType: PushType?,
        _ laxities: inout [Laxity]
    ) throws(Refusal) -> Int {
        guard let word = request.first("apns-priority") else {
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

    private func checkedExpiration(_ request: PushRequest, _ laxities: inout [Laxity]) throws(Refusal) -> Int64? {
        guard let word = request.first("apns-expiration") else {
            laxities.append(.missingExpiration)
            return nil
        }
        guard let seconds = Int64(word), seconds >= 0, !word.hasPrefix("+") else { throw Refusal(.badExpirationDate) }
        return seconds
    }

    private func checkMessageID(_ request: PushRequest, _ laxities: inout [Laxity]) throws(Refusal) {
        guard let word = request.first("apns-id") else { return }
        guard UUID128(word) != nil else { throw Refusal(.badMessageID) }
        if word.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }) {
            laxities.append(.upperCaseMessageID)
        }
    }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    case _: false
    }
}
