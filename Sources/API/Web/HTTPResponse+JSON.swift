internal import HTTPServer
internal import JSONText

extension HTTPResponse {
    static func json(_ value: JSON, status: Int = 200, headers: [HTTPField] = []) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [HTTPField("Content-Type", "application/json")] + headers,
            body: .bytes(value.serialized())
        )
    }

    static let noContent = HTTPResponse(status: 204, headers: [], body: .bytes([]))

    static func text(_ text: String, type: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [HTTPField("Content-Type", type)], body: .bytes(Array(text.utf8)))
    }

    /// A problem document with the headers its kind asks for (RFC 9457, RFC 9110).
    static func problem(_ problem: Problem, request: String?) -> HTTPResponse {
        var headers = [HTTPField("Content-Type", "application/problem+json")]
        switch problem.extra {
        case .retryAfter(let seconds), .quotaExceeded(_, let seconds):
            headers.append(HTTPField("Retry-After", String(seconds)))
        case .allow(let methods): headers.append(HTTPField("Allow", methods.joined(separator: ", ")))
        case .limit, .revision, nil: break
        }
        if problem.kind == .unauthenticated { headers.append(HTTPField("WWW-Authenticate", "Bearer")) }
        return HTTPResponse(
            status: problem.kind.status,
            headers: headers,
            body: .bytes(JSON.object(problem.json(request: request)).serialized())
        )
    }
}
