internal import HTTPServer
private import Runtime

/// What is known of a request by the time it is answered: for the log, the figures, and the headers of its answer.
struct Trail: Sendable {
    /// Names the request in its answer, in a problem, and in the log.
    let id: String
    var route: Route?
    /// Who asks: names a key, not its secret.
    var actor: String?
    var quota: Quota?

    /// A trusted proxy may have given the request an id already.
    init(_ request: HTTPRequest, proxies: TrustedProxies) {
        let given = request.headers.first("x-request-id") ?? ""
        let isGood = (1...64).contains(given.utf8.count) && given.utf8.allSatisfy(\.isIDByte)
        if isGood, let peer = IPAddress(request.peer), proxies.isTrusted(peer) {
            id = given
        } else {
            id = String(UInt64.random(in: .min ... .max) | 1 << 63, radix: 16)
        }
    }
}

extension UInt8 {
    fileprivate var isIDByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
