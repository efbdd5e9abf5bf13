internal import HTTP2

extension HTTP2ClientRequest {
    init(_ message: borrowing Delivery.Message, token: ProviderToken, isFirst: Bool) {
        switch message {
        case .push(let push):
            switch push.destination {
            case .device(let device): self.init(push, toDevice: device, token: token, isFirst: isFirst)
            case .channel(let id, let bundleID):
                self.init(push, toChannel: id, of: bundleID, token: token, isFirst: isFirst)
            }
        case .channels(let request): self.init(request, token: token, isFirst: isFirst)
        }
    }

    /// A push to a phone as HTTP/2 (sender rules 14 to 19).
    ///
    /// The authorization is never indexed; ids and times are indexed on a connection's first request only, which
    /// teaches the peer their names without filling its small table with values that never come back.
    private init(_ push: borrowing APNsRequest, toDevice device: String, token: ProviderToken, isFirst: Bool) {
        var fields = [
            HTTP2Field("authorization", token.authorization, isNeverIndexed: true),
            HTTP2Field("apns-push-type", constant: push.pushType.headerValue),
            HTTP2Field("apns-topic", push.topic),
            HTTP2Field("apns-priority", constant: push.priority.headerValue),
            HTTP2Field("apns-expiration", String(push.expiration), isNeverIndexed: !isFirst),
            HTTP2Field("apns-id", push.apnsID, isNeverIndexed: !isFirst),
        ]
        if let collapseID = push.collapseID {
            fields.append(HTTP2Field("apns-collapse-id", collapseID, isNeverIndexed: !isFirst))
        }
        self.init(path: "/3/device/" + lowerCase(device), fields: fields, body: push.payload)
    }

    /// A push to a channel: no topic, no collapse id (sender rule 50).
    private init(
        _ push: borrowing APNsRequest,
        toChannel id: String,
        of bundleID: String,
        token: ProviderToken,
        isFirst: Bool
    ) {
        let fields = [
            HTTP2Field("authorization", token.authorization, isNeverIndexed: true),
            HTTP2Field("apns-push-type", constant: push.pushType.headerValue),
            HTTP2Field("apns-channel-id", id),
            HTTP2Field("apns-priority", constant: push.priority.headerValue),
            HTTP2Field("apns-expiration", String(push.expiration), isNeverIndexed: !isFirst),
            HTTP2Field("apns-request-id", push.apnsID, isNeverIndexed: !isFirst),
        ]
        self.init(path: "/4/broadcasts/apps/" + bundleID, fields: fields, body: push.payload)
    }
}

/// A token has two spellings, and one of them is usual (sender rule 20). Hardly ever is there anything to change.
///
/// Of the hexadecimal digits only the capital letters lack this bit. All bytes are looked at, which the processor does many
/// at once.
private func lowerCase(_ token: String) -> String {
    let bytes = token.utf8.span
    var common: UInt8 = 0x20
    for index in bytes.indices { common &= bytes[index] }
    return common == 0 ? token.lowercased() : token
}
