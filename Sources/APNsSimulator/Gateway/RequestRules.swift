/// The checks of one push that need nothing but the request and the token store (contract 8-16). In order: method and
/// path; then, after the provider token, id, repeated headers, topic, push type, priority, expiration, collapse id, device
/// token, size. So whoever sends to a token that nobody has, learns whether key and topic are right.
///
/// Content is deliberately not looked at: APNs knows no app's types (contract 17).
struct RequestRules: Sendable {
    static let suffix = ".push-type.liveactivity"
    static let bodyLimit = 4096

    struct Admission: Sendable {
        let order: PushOrder
        let laxities: [Laxity]
    }

    /// Bundle ids that exist, in the order of the settings.
    let bundleIDs: [String]
    let environment: PushEnvironment

    /// What stands behind `/3/device/`, in lower case; it is judged by `check`. The method is judged before the path.
    static func token(inPath path: String, method: String) throws(Refusal) -> String {
        guard method == "POST" else { throw Refusal(.methodNotAllowed) }
        let prefix = "/3/device"
        guard path.hasPrefix(prefix) else { throw Refusal(.badPath) }
        let rest = path.dropFirst(prefix.count)
        guard rest.isEmpty || rest.hasPrefix("/"), !rest.dropFirst().contains("/") else { throw Refusal(.badPath) }
        return rest.dropFirst().lowercased()
    }

    /// `recipient` is whom the token of the path leads to, if to anybody; `mayPush` tells whether key and connection are
    /// for a bundle id.
    func check(
        _ request: PushRequest,
        token: String,
        recipient: Recipient?,
        mayPush: (String) -> Bool,
        _ knobs: Knobs.Requests
    ) throws(Refusal) -> Admission {
        var laxities: [Laxity] = []
        try request.checkMessageID("apns-id", &laxities)
        guard !request.hasRepeatedHeaders else { throw Refusal(.duplicateHeaders) }
        let topic = try checkedTopic(request, mayPush, knobs)
        let pushType = try checkedPushType(request, topic, &laxities)
        let priority = try request.checkedPriority(pushType, &laxities)
        if knobs.refusesPriorityOne, laxities.contains(.priorityOne) { throw Refusal(.badPriority) }
        let expiration = try request.checkedExpiration(&laxities)
        let collapseID = request.first("apns-collapse-id")
        if let collapseID, collapseID.isEmpty || collapseID.utf8.count > 64 { throw Refusal(.badCollapseID) }
        let found = try checkedRecipient(token, recipient, topic)
        try request.checkSize(Self.bodyLimit)
        let order = PushOrder(
            token: token,
            recipient: found,
            topic: topic.text,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID,
            body: request.body
        )
        return Admission(order: order, laxities: laxities)
    }

    /// A topic without the suffix of Live Activities.
    static func bundleID(of topic: String) -> String {
        topic.hasSuffix(suffix) ? String(topic.dropLast(suffix.count)) : topic
    }

    private struct Topic {
        let text: String
        let bundleID: String
        let isLive: Bool
    }

    private func checkedTopic(
        _ request: PushRequest,
        _ mayPush: (String) -> Bool,
        _ knobs: Knobs.Requests
    ) throws(Refusal) -> Topic {
        guard let text = request.first("apns-topic"), !text.isEmpty else { throw Refusal(.missingTopic) }
        let isLive = text.hasSuffix(Self.suffix)
        let bundleID = Self.bundleID(of: text)
        guard bundleIDs.contains(bundleID), mayPush(bundleID) else {
            throw Refusal(knobs.unknownTopic)
        }
        return Topic(text: text, bundleID: bundleID, isLive: isLive)
    }

    private func checkedPushType(
        _ request: PushRequest,
        _ topic: Topic,
        _ laxities: inout [Laxity]
    ) throws(Refusal) -> PushType? {
        guard let word = request.first("apns-push-type") else {
            laxities.append(.missingPushType)
            return nil
        }
        guard let type = PushType(rawValue: word) else { throw Refusal(.invalidPushType) }
        // The type and the topic must name the same service (contract 10).
        guard (type == .liveactivity) == topic.isLive else { throw Refusal(.deviceTokenNotForTopic) }
        return type
    }

    private func checkedRecipient(_ token: String, _ found: Recipient?, _ topic: Topic) throws(Refusal) -> Recipient {
        guard !token.isEmpty else { throw Refusal(.missingDeviceToken) }
        // Nonsense and strangers' tokens are the same to APNs (contract 9).
        guard let found, found.environment == environment else { throw Refusal(.badDeviceToken) }
        guard bundleIDs[found.app] == topic.bundleID, topic.isLive == (found.kind != .device) else {
            throw Refusal(.deviceTokenNotForTopic)
        }
        return found
    }
}
