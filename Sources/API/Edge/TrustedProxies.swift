package import HTTPServer
package import Runtime

/// Proxies in front of the service whose word on the caller's address counts.
package struct TrustedProxies: Hashable, Sendable {
    package let ranges: [IPRange]

    package init(_ ranges: [IPRange]) { self.ranges = ranges }

    /// Where a request comes from: the other end of the connection or, when that is a trusted proxy, the last address of
    /// `X-Forwarded-For` that is none. What stands before it was written by the caller, who may write anything.
    package func client(of request: HTTPRequest) -> IPAddress? {
        guard var client = IPAddress(request.peer) else { return nil }
        let hops = request.headers.all("x-forwarded-for").flatMap { $0.split(separator: ",") }
        for hop in hops.reversed() {
            guard isTrusted(client), let address = IPAddress(hop.trimmed) else { break }
            client = address
        }
        return client
    }

    package func isTrusted(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

extension Substring {
    /// Without the blanks around it.
    fileprivate var trimmed: String {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        return String(String(drop(while: isBlank).reversed()).drop(while: isBlank).reversed())
    }
}
