/// The request line and the headers, as far as the library told them apart.
struct RequestHead: Hashable, Sendable {
    var method: String
    /// As sent.
    var target: String
    var version: String
    var fields: [HTTPField]
    /// Bytes up to and with the empty line.
    var size: Int
    /// Whether each line ended in CR LF and held no NUL and no continuation. The library takes bare LF for a line end,
    /// cuts values at NUL and glues continuations to the wrong text, but parses in place, so the gaps between the
    /// pieces give it away.
    var linesAreWhole: Bool
}

/// How much body follows.
enum BodyLength: Hashable, Sendable {
    case exactly(Int)
    case chunked
}

extension RequestHead {
    /// Judges the framing more strictly than libmicrohttpd 0.9.75 does, which lets requests be smuggled past a proxy
    /// that reads them differently: RFC 9112 sections 2.2, 3, 5 and 6.
    func bodyLength(headerLimit: Int, bodyLimit: Int) throws(HTTPRefusal) -> BodyLength {
        guard size <= headerLimit else { throw HTTPRefusal(.headerTooLarge) }
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw HTTPRefusal(version.hasPrefix("HTTP/") ? .versionUnsupported : .badFraming)
        }
        guard linesAreWhole, method.isToken, target.isTarget, fields.allSatisfy(\.isWellFormed) else {
            throw HTTPRefusal(.badFraming)
        }
        let headers = HTTPHeaders(fields)
        let hosts = headers.all("Host").count
        guard hosts == 1 || hosts == 0 && version == "HTTP/1.0" else { throw HTTPRefusal(.badFraming) }
        guard knownMethods.contains(method) else { throw HTTPRefusal(.methodUnsupported) }
        return try bodyLength(headers.all("Content-Length"), headers.all("Transfer-Encoding"), limit: bodyLimit)
    }

    private func bodyLength(_ lengths: [String], _ encodings: [String], limit: Int) throws(HTTPRefusal) -> BodyLength {
        guard encodings.isEmpty else {
            guard lengths.isEmpty, version == "HTTP/1.1", encodings.count == 1,
                encodings[0].equalsIgnoringCase("chunked")
            else { throw HTTPRefusal(.badFraming) }
            return .chunked
        }
        guard let text = lengths.first else { return .exactly(0) }
        guard lengths.count == 1, !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy(\.isDigit),
            let length = Int(text)
        else { throw HTTPRefusal(.badFraming) }
        guard length <= limit else { throw HTTPRefusal(.bodyTooLarge(limit: limit)) }
        return .exactly(length)
    }

    /// Path and query of the target; the authority of an absolute target (RFC 9112 section 3.2.2) is left out.
    var pathAndQuery: (path: String, query: String?) {
        var rest = target[...]
        if let scheme = rest.firstRange(of: "://") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
            if rest.first != "/" { rest = "/" + rest }
        }
        guard let mark = rest.firstIndex(of: "?") else { return (String(rest), nil) }
        return (String(rest[..<mark]), String(rest[rest.index(after: mark)...]))
    }
}

/// The methods a path may have: RFC 9110 section 9.3 without CONNECT and TRACE, and RFC 5789.
private let knownMethods: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "QUERY"]

/// A fault on its way to the one place that answers it.
struct HTTPRefusal: Error, Hashable {
    let fault: HTTPFault
    init(_ fault: HTTPFault) { self.fault = fault }
}

extension HTTPField {
    /// A token for a name, and neither controls nor bare CR in the value (RFC 9110 sections 5.1 and 5.5).
    fileprivate var isWellFormed: Bool {
        name.isToken && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}

extension String {
    fileprivate var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }

    /// Visible ASCII in origin, absolute or asterisk form.
    fileprivate var isTarget: Bool {
        guard utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else { return false }
        let lowercased = prefix(8).lowercased()
        return hasPrefix("/") || self == "*" || lowercased.hasPrefix("http://") || lowercased == "https://"
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// RFC 9110 section 5.6.2, `tchar`.
    fileprivate var isTokenByte: Bool {
        isDigit || lowercasedASCII >= UInt8(ascii: "a") && lowercasedASCII <= UInt8(ascii: "z")
            || otherTokenBytes.contains(self)
    }
}

private let otherTokenBytes = Set("!#$%&'*+-.^_`|~".utf8)
