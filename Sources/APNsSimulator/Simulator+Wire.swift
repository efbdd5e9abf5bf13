private import Crypto
internal import HTTP2
internal import HTTPServer
private import JSONText

extension PushRequest {
    init(_ request: HTTP2Request) {
        self.init(
            method: request.method,
            path: request.path,
            headers: request.headers.fields.filter { !$0.name.hasPrefix(":") }.map { Header($0.name, $0.value) },
            body: request.body
        )
    }
}

extension HTTP2Reply {
    /// A push that succeeds has an empty body; a refusal says why, and for a dead token since when.
    init(_ reply: PushReply, date: String) {
        var fields: [HTTP2Field]
        switch reply.idHeader {
        case .apnsID: fields = [HTTP2Field("apns-id", reply.apnsID.description)]
        case .requestID: fields = [HTTP2Field("apns-request-id", reply.apnsID.description)]
        }
        fields.append(HTTP2Field("date", date))
        if let uniqueID = reply.uniqueID { fields.append(HTTP2Field("apns-unique-id", uniqueID.description)) }
        if let channelID = reply.success.channelID { fields.append(HTTP2Field("apns-channel-id", channelID)) }
        var (status, body) = (reply.success.status, reply.success.body)
        if let refusal = reply.refusal {
            status = refusal.status
            var object: JSONObject = ["reason": .string(refusal.reason)]
            object["timestamp"] = refusal.timestampMilliseconds.map { .integer($0) }
            body = JSON.object(object).serialized()
        }
        if !body.isEmpty { fields.append(HTTP2Field("content-type", constant: "application/json")) }
        self.init(status: status, fields: fields, body: body)
    }
}

extension HTTP2ErrorCode {
    init(_ code: PushReply.ResetCode) {
        switch code {
        case .refusedStream: self = .refusedStream
        case .internalError: self = .internalError
        case .cancel: self = .cancel
        case .enhanceYourCalm: self = .enhanceYourCalm
        }
    }
}

extension HTTPResponse {
    init(_ reply: ControlReply) {
        let type = reply.body.isEmpty ? [] : [HTTPField("Content-Type", reply.contentType)]
        let headers = type + reply.headers.map { HTTPField($0.name, $0.value) }
        self.init(status: reply.status, headers: headers, body: .bytes(reply.body))
    }
}
