private import CLinux
private import Glibc

/// TCP sockets, non-blocking and closed on exec.
package enum Socket {
    /// A socket that listens on a host and port; port 0 takes a free one.
    ///
    /// With `reusePort` several listeners may share the port, and the kernel spreads connections among them.
    package static func listen(
        host: String,
        port: Int,
        reusePort: Bool = false,
        backlog: Int32 = 1024
    )
        throws(RuntimeError) -> Descriptor
    {
        guard let address = try SocketAddress.all(host: host, port: port).first else {
            throw RuntimeError(.unknownHost, "getaddrinfo")
        }
        let socket = try open(address.family)
        try setOption(socket, SOL_SOCKET, SO_REUSEADDR)
        if reusePort { try setOption(socket, SOL_SOCKET, SO_REUSEPORT) }
        guard unsafe address.withPointer({ unsafe bind(socket.number, $0, $1) }) == 0 else { throw .systemCall("bind") }
        guard Glibc.listen(socket.number, backlog) == 0 else { throw .systemCall("listen") }
        return socket
    }

    /// The next connection waiting at a listener, or nil when none is.
    ///
    /// A connection that its peer gave up before we took it is passed over.
    package static func accept(_ listener: borrowing Descriptor) throws(RuntimeError) -> Connection? {
        let number = listener.number
        while true {
            let (result, peer) = unsafe SocketAddress.written { address, length in
                unsafe accept4(number, address, length, openFlags)
            }
            if result >= 0 {
                let socket = Descriptor(owning: result)
                try setOption(socket, Int32(IPPROTO_TCP), TCP_NODELAY)
                return Connection(socket: socket, peer: peer)
            }
            switch errno {
            case EAGAIN: return nil
            case EINTR, ECONNABORTED: continue
            default: throw .systemCall("accept4")
            }
        }
    }

    /// An accepted connection.
    package struct Connection: ~Copyable, Sendable {
        package var socket: Descriptor
        package let peer: SocketAddress

        /// The socket alone.
        package consuming func take() -> Descriptor { socket }
    }

    /// The address a socket is bound to: how a listener on port 0 learns its port.
    package static func localAddress(of socket: borrowing Descriptor) -> SocketAddress {
        let number = socket.number
        return unsafe SocketAddress.written { unsafe getsockname(number, $0, $1) }.address
    }

    /// The address at the other end of a connected socket that somebody else owns.
    package static func peerAddress(of number: Int32) -> SocketAddress {
        unsafe SocketAddress.written { unsafe getpeername(number, $0, $1) }.address
    }

    static let openFlags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)

    static func open(_ family: Int32) throws(RuntimeError) -> Descriptor {
        let number = socket(family, Int32(SOCK_STREAM.rawValue) | openFlags, 0)
        guard number >= 0 else { throw .systemCall("socket") }
        return Descriptor(owning: number)
    }

    static func setOption(_ socket: borrowing Descriptor, _ level: Int32, _ name: Int32) throws(RuntimeError) {
        var one: Int32 = 1
        guard unsafe setsockopt(socket.number, level, name, &one, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw .systemCall("setsockopt")
        }
    }
}
