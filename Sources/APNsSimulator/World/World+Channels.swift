private import Crypto
private import JSONText

extension World {
    /// A request to the broadcast or the channel management API. In order: path, method, provider token, request id,
    /// repeated headers, app; then what the request itself needs.
    mutating func useChannels(_ visit: inout Visit) throws(Refusal) {
        let (request, environment) = (visit.request, visit.key.environment)
        visit.record.event = .manage
        let action = try ChannelAction(request.method, request.path, on: visit.key.service)
        if action.verb == .publish { visit.record.tokenKind = .channel }
        let key = try authenticate(&visit)
        var laxities: [Laxity] = []
        try request.checkMessageID(PushReply.IDHeader.requestID.rawValue, &laxities)
        guard !request.hasRepeatedHeaders else { throw Refusal(.badRequestParams) }
        let app = try checkedApp(action.bundleID, key, connections[visit.key]?.auth)
        switch action.verb {
        case .publish:
            try publish(&visit, app: app, &laxities)
        case .create:
            let storage = try Channel.Storage(creationBody: request.body)
            guard channels.count(app: app, environment) < knobs.channelLimit else {
                throw Refusal(.cannotCreateChannelConfig)
            }
            guard try admits(&visit, nil, laxities) else { return }
            let index = channels.create(app: app, environment, storage, at: visit.now.wall, using: &generator)
            visit.success = PushReply.Success(status: 201, channelID: channels[index].id)
        case .read:
            let index = try checkedChannel(&visit, app: app)
            guard try admits(&visit, index, laxities) else { return }
            let policy: JSON = .integer(channels[index].storage.rawValue)
            visit.success.body = (["message-storage-policy": policy, "push-type": "LiveActivity"] as JSON).serialized()
        case .delete:
            let index = try checkedChannel(&visit, app: app)
            guard try admits(&visit, index, laxities) else { return }
            channels.delete(index)
            visit.success.status = 204
        case .list:
            guard try admits(&visit, nil, laxities) else { return }
            let ids = channels.open(app: app, environment).map { JSON.string($0.id) }
            visit.success.body = (["channels": .array(ids)] as JSON).serialized()
        }
    }

    /// The last questions before a management request is done: faults, then it is written down.
    private mutating func admits(
        _ visit: inout Visit,
        _ channel: Int?,
        _ laxities: [Laxity]
    ) throws(Refusal) -> Bool {
        note(laxities, at: visit.now)
        guard try meetsNoObstacle(&visit, { $0.channelSubject($1, channel) }) else { return false }
        log.append(visit.record, body: visit.request.body)
        totals.accepted[.manage, default: 0] += 1
        return true
    }

    func channelSubject(_ visit: Visit, _ channel: Int?) -> Fault.Subject {
        Fault.Subject(
            channel: channel.map { channels[$0].id },
            topic: (try? ChannelAction(visit.request.method, visit.request.path, on: visit.key.service).bundleID) ?? "",
            event: visit.record.event,
            tokenKind: visit.record.tokenKind,
            environment: visit.record.environment,
            connection: visit.record.connection
        )
    }

    /// The app of a bundle id in a path: with a suffix it is no bundle id at all (contract 49).
    private func checkedApp(
        _ bundleID: String,
        _ key: ProviderKeyRegistration?,
        _ auth: ConnectionAuth?
    ) throws(Refusal) -> Int {
        guard !bundleID.contains(".push-type.") else { throw Refusal(.topicDisallowed) }
        guard let app = apps.firstIndex(where: { $0.bundleID == bundleID }), Self.mayPush(bundleID, key, auth)
        else { throw Refusal(.topicMismatch) }
        guard channels.isEnabled(app: app) else { throw Refusal(.featureNotEnabled) }
        return app
    }

    /// The channel that `apns-channel-id` names.
    func checkedChannel(_ visit: inout Visit, app: Int) throws(Refusal) -> Int {
        guard let id = visit.request.first("apns-channel-id"), !id.isEmpty else { throw Refusal(.missingChannelID) }
        guard let bytes = Base64.decode(id), !bytes.isEmpty else { throw Refusal(.badChannelID) }
        guard let index = channels.find(id, app: app, visit.key.environment) else {
            throw Refusal(.channelNotRegistered)
        }
        visit.record.channel = Int32(clamping: index)
        return index
    }
}

extension Channel.Storage {
    /// `{"message-storage-policy": 0|1, "push-type": "LiveActivity"}`.
    fileprivate init(creationBody body: [UInt8]) throws(Refusal) {
        guard !body.isEmpty else { throw Refusal(.payloadEmpty) }
        guard let json = try? JSON.parse(body), json.objectValue != nil else { throw Refusal(.badRequestPayload) }
        guard let type = json["push-type"] else { throw Refusal(.missingPushType) }
        guard type == "LiveActivity" else { throw Refusal(.invalidPushType) }
        guard let policy = json["message-storage-policy"]?.int64Value.flatMap({ Self(rawValue: Int(clamping: $0)) })
        else { throw Refusal(.badRequestPayload) }
        self = policy
    }
}
