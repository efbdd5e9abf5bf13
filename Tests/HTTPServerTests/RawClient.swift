import Glibc
import Runtime

/// A client that sends exactly the bytes it is told to.
///
/// Reading blocks; from asynchronous code it does so on a thread of its own, as the pool has only a few.
final class RawClient: Sendable {
    private let socket: Descriptor

    init(port: Int) {
        // Children that other tests start must not hold it open.
        let number = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        socket = Descriptor(owning: number)
        // Nothing here takes long; the limit only keeps a broken server from hanging the run.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// False when the peer does not take the bytes any more.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    func endSending() { shutdown(socket.number, Int32(SHUT_WR)) }

    /// What arrives until `text` has, or to the end.
    func read(until text: String? = nil) -> Answer {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let text, String(decoding: received, as: UTF8.self).contains(text) {
                return Answer(bytes: received, end: .open)
            }
            let count = recv(socket.number, &buffer, buffer.count, 0)
            if count == 0 { return Answer(bytes: received, end: .closed) }
            if count < 0 { return Answer(bytes: received, end: errno == ECONNRESET ? .reset : .silent) }
            received += buffer[0..<count]
        }
    }

    func read(until text: String? = nil) async -> Answer {
        await BlockingCall.run { self.read(until: text) }
    }

    /// What a client saw.
    struct Answer: Sendable {
        enum End: Sendable {
            case open
            case closed
            case reset
            /// Nothing more came within the client's patience.
            case silent
        }

        let bytes: [UInt8]
        let end: End

        var text: String { String(decoding: bytes, as: UTF8.self) }
        var statusLines: [String] {
            text.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }.map(String.init)
        }
    }
}

/// Runs a conversation on a thread that may block.
func talk<Value: Sendable>(_ port: Int, _ body: @escaping @Sendable (RawClient) -> Value) async -> Value {
    await BlockingCall.run { body(RawClient(port: port)) }
}

/// Sends bytes and reads to the end.
func exchange(_ port: Int, _ bytes: String) async -> RawClient.Answer {
    await talk(port) { client in
        client.send(bytes)
        return client.read()
    }
}
