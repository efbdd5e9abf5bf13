/// A request that is known to be one request: nothing in it can end a line early.
struct HTTPClientRequest: Sendable {
    let method: String
    let url: String
    let headers: [(String, String)]
    let body: [UInt8]

    init(_ method: String, url: String, headers: [(String, String)], body: [UInt8]) throws(HTTPClientError) {
        guard method.utf8.allSatisfy(\.isTokenByte), !method.isEmpty else {
            throw HTTPClientError(.badRequest, "method")
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw HTTPClientError(.badRequest, "url") }
        for (name, value) in headers {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
                throw HTTPClientError(.badRequest, "header name")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw HTTPClientError(.badRequest, "header value")
            }
        }
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Whether a body is sent, be it an empty one.
    var hasBody: Bool { !body.isEmpty || method == "POST" || method == "PUT" || method == "PATCH" }

    /// The header lines for libcurl. The lines that end in a colon keep it from adding headers of its own.
    var headerLines: [String] {
        var names: Set<String> = []
        var lines: [String] = []
        for (name, value) in headers {
            names.insert(name.lowercased())
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        for automatic in ["Expect", "Content-Type", "Accept"] where !names.contains(automatic.lowercased()) {
            lines.append("\(automatic):")
        }
        return lines
    }
}

extension UInt8 {
    /// RFC 9110 section 5.6.2, `tchar`.
    fileprivate var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
