internal import CLinux
internal import Glibc

/// Where a TCP socket listens or connects to.
@safe
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The `sockaddr` as bytes, which keeps C types out of the interface.
    private let bytes: [UInt8]
    let family: Int32

    private init(_ bytes: [UInt8], family: Int32) {
        self.bytes = bytes
        self.family = family
    }

    /// The addresses of `host`, in the order to be tried.
    ///
    /// A name is looked up with the system's resolver, which blocks: on a loop give only numeric hosts, or use
    /// `resolve(host:port:)`.
    package static func all(host: String, port: Int, numericOnly: Bool = false) throws(RuntimeError) -> [SocketAddress]
    {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV | (numericOnly ? AI_NUMERICHOST : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard failure == 0 else { throw RuntimeError(.unknownHost, "getaddrinfo") }
        defer { unsafe freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            let bytes = unsafe UnsafeRawBufferPointer(
                start: entry.pointee.ai_addr,
                count: Int(entry.pointee.ai_addrlen)
            )
            unsafe found.append(SocketAddress(Array(bytes), family: entry.pointee.ai_family))
            unsafe next = entry.pointee.ai_next
        }
        return found
    }

    /// As `all(host:port:)`, without blocking the caller: names are looked up on a thread of their own.
    package static func resolve(host: String, port: Int) async throws(RuntimeError) -> [SocketAddress] {
        if let numeric = try? all(host: host, port: port, numericOnly: true) { return numeric }
        let outcome = await BlockingCall.run { () -> Result<[SocketAddress], RuntimeError> in
            Result { () throws(RuntimeError) in try all(host: host, port: port) }
        }
        return try outcome.get()
    }

    /// The numeric host, without brackets.
    package var host: String { parts.host }
    package var port: Int { parts.port }
    package var description: String { family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private var parts: (host: String, port: Int) {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let failure = unsafe withPointer { address, length in
            unsafe getnameinfo(
                address,
                length,
                &host,
                socklen_t(host.count),
                &service,
                socklen_t(service.count),
                NI_NUMERICHOST | NI_NUMERICSERV
            )
        }
        guard failure == 0 else { return ("", 0) }
        return (String(terminated: host), Int(String(terminated: service)) ?? 0)
    }

    /// Lends the address to a system call.
    func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        unsafe bytes.withUnsafeBytes { raw in
            unsafe raw.withMemoryRebound(to: sockaddr.self) { bound in
                guard let start = bound.baseAddress else { preconditionFailure("an address has bytes") }
                return unsafe body(start, socklen_t(raw.count))
            }
        }
    }

    /// Lets a system call such as `getsockname` or `accept` write an address.
    static func written(
        by body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    )
        -> (result: Int32, address: SocketAddress)
    {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, &length) }
        }
        let bytes = unsafe withUnsafeBytes(of: &storage) { unsafe Array($0.prefix(Int(length))) }
        return (result, SocketAddress(bytes, family: Int32(storage.ss_family)))
    }
}

extension String {
    /// Text that C wrote into a buffer and ended with a zero.
    init(terminated buffer: [CChar]) {
        self.init(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
