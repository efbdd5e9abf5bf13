internal import HTTP2

extension HTTP2ClientRequest {
    /// A push as HTTP/2 (sender rules 14 to 19).
    ///
    /// The authorization is never indexed; ids and times are indexed on a connection's first request only, which
    /// teaches the peer their names without filling its small table with values that never come back.
    init(_ push: borrowing APNsRequest, token: ProviderToken, isFirst: Bool) {
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
        self.init(path: "/3/device/" + push.token, fields: fields, body: push.payload)
    }
}
