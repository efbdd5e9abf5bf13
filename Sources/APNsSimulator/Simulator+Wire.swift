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
    /// Success has an empty body; a refusal says why, and for a dead token since when.
    init(_ reply: PushReply) {
        var fields = [HTTP2Field("apns-id", reply.apnsID.description)]
        if let uniqueID = reply.uniqueID { fields.append(HTTP2Field("apns-unique-id", uniqueID.description)) }
        guard let refusal = reply.refusal else {
            self.init(status: 200, fields: fields)
            return
        }
        fields.append(HTTP2Field("content-type", constant: "application/json"))
        var body: JSONObject = ["reason": .string(refusal.reason)]
        body["timestamp"] = refusal.timestampMilliseconds.map { .integer($0) }
        self.init(status: refusal.status, fields: fields, body: JSON.object(body).serialized())
    }
}

extension HTTPResponse {
    init(_ reply: ControlReply) {
        let headers = reply.body.isEmpty ? [] : [HTTPField("Content-Type", reply.contentType)]
        self.init(status: reply.status, headers: headers, body: .bytes(reply.body))
    }
}
