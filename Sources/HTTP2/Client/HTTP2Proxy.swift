internal import Runtime

/// An HTTP proxy that opens a way to other hosts (CONNECT, RFC 9110 section 9.3.6). TLS goes through it: the proxy sees
/// the host's name and nothing of what is said.
package struct HTTP2Proxy: Hashable, Sendable {
    package var host: String
    package var port: Int
    /// The value of `Proxy-Authorization`, such as `Basic` and base64; a secret.
    package var authorization: String?

    package init(host: String, port: Int, authorization: String? = nil) {
        self.host = host
        self.port = port
        self.authorization = authorization
    }

    private static let longestAnswer = 16 * 1024

    /// Asks for a way to `authority` and returns the socket once it leads there.
    ///
    /// - Throws: `proxyRefused` with the proxy's words, `closed` or `timedOut`.
    func openTunnel(
        through socket: consuming Descriptor,
        to authority: String,
        until deadline: MonotonicTime,
        on loop: EventLoop
    ) async throws(HTTP2Error) -> Descriptor {
        var lines = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n"
        if let authorization { lines += "Proxy-Authorization: \(authorization)\r\n" }
        var rest = Array((lines + "\r\n").utf8)[...]
        while !rest.isEmpty {
            if let count = try Self.count(Socket.write(socket, rest)) {
                rest = rest.dropFirst(count)
            } else {
                try await Self.wait(for: .writable, socket.number, until: deadline, on: loop)
            }
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        // Nothing follows the answer before our first byte: in TLS the client speaks first.
        while !answer.ends(with: "\r\n\r\n") {
            if let count = try Self.count(Socket.read(socket, into: &buffer)) {
                answer += buffer.prefix(count)
                guard answer.count <= Self.longestAnswer else { throw HTTP2Error(.proxyRefused, "an endless answer") }
            } else {
                try await Self.wait(for: .readable, socket.number, until: deadline, on: loop)
            }
        }
        try Self.judge(answer)
        return socket
    }

    private static func judge(_ answer: [UInt8]) throws(HTTP2Error) {
        let words = String(decoding: answer.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        let parts = words.split(separator: " ", maxSplits: 2)
        let opens = parts.count >= 2 && parts[0].hasPrefix("HTTP/1.") && parts[1].hasPrefix("2") && parts[1].count == 3
        guard opens else { throw HTTP2Error(.proxyRefused, words) }
    }

    /// How many bytes were moved; nil when the socket is not ready.
    private static func count(_ transfer: Socket.Transfer) throws(HTTP2Error) -> Int? {
        switch transfer {
        case .bytes(let count): return count
        case .wouldBlock: return nil
        case .closed: throw HTTP2Error(.closed, "the proxy closed the connection")
        case .failed(let number): throw HTTP2Error(.closed, "proxy: errno \(number)")
        }
    }

    private static func wait(
        for readiness: EventLoop.Readiness,
        _ descriptor: Int32,
        until deadline: MonotonicTime,
        on loop: EventLoop
    ) async throws(HTTP2Error) {
        let isReady: Bool
        do throws(RuntimeError) {
            isReady = try await loop.wait(for: readiness, of: descriptor, within: deadline - .now)
        } catch {
            throw HTTP2Error(.closed, "proxy: \(error)")
        }
        guard isReady else { throw HTTP2Error(.timedOut, "no answer from the proxy in time") }
    }
}

extension [UInt8] {
    fileprivate func ends(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && suffix(text.utf8CodeUnitCount).elementsEqual(text.description.utf8)
    }
}
