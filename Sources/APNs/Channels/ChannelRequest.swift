internal import HTTP2
private import JSONText

/// A request about an app's channels (Apple, "Sending channel management requests to APNs").
struct ChannelRequest: Sendable {
    enum Action: Sendable {
        case create(storesNewest: Bool)
        case read(id: String)
        case delete(id: String)
        case list
    }

    let action: Action
    let bundleID: String
    /// A lower-case UUID of this attempt.
    let requestID: String

    var problem: String? {
        switch action {
        case .read(let id), .delete(let id): if id.isEmpty { return "the channel id is empty" }
        case .create, .list: break
        }
        return BundleID.problem(bundleID)
    }

    fileprivate var method: StaticString {
        switch action {
        case .create: "POST"
        case .read, .list: "GET"
        case .delete: "DELETE"
        }
    }

    fileprivate var path: String {
        switch action {
        case .create, .read, .delete: "/1/apps/\(bundleID)/channels"
        case .list: "/1/apps/\(bundleID)/all-channels"
        }
    }

    fileprivate var channelID: String? {
        switch action {
        case .read(let id), .delete(let id): id
        case .create, .list: nil
        }
    }

    fileprivate var body: [UInt8] {
        guard case .create(let storesNewest) = action else { return [] }
        let body: JSON = ["message-storage-policy": storesNewest ? 1 : 0, "push-type": "LiveActivity"]
        return body.serialized()
    }
}

extension HTTP2ClientRequest {
    init(_ request: ChannelRequest, token: ProviderToken, isFirst: Bool) {
        var fields = [
            HTTP2Field("authorization", token.authorization, isNeverIndexed: true),
            HTTP2Field("apns-request-id", request.requestID, isNeverIndexed: !isFirst),
        ]
        if let id = request.channelID { fields.append(HTTP2Field("apns-channel-id", id)) }
        self.init(method: request.method, path: request.path, fields: fields, body: request.body)
    }
}
