private import Glibc

extension Socket {
    /// What one attempt to read or write did.
    package enum Transfer: Hashable, Sendable {
        /// So many bytes, at least one.
        case bytes(Int)
        /// Nothing now; wait until the socket is ready.
        case wouldBlock
        /// The peer has closed its side (reading) or the connection is gone (writing).
        case closed
        /// Any other failure, as `errno`.
        case failed(Int32)
    }

    /// Reads what is there into `buffer`, which must not be empty.
    package static func read(_ socket: borrowing Descriptor, into buffer: inout [UInt8]) -> Transfer {
        let number = socket.number
        return transfer { unsafe recv(number, &buffer, buffer.count, 0) }
    }

    /// Writes as much as the socket takes of `bytes`, which must not be empty; a lost peer raises no signal.
    package static func write(_ socket: borrowing Descriptor, _ bytes: ArraySlice<UInt8>) -> Transfer {
        let number = socket.number
        return unsafe bytes.withUnsafeBytes { raw in
            transfer { unsafe send(number, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// Ends the sending side, the receiving side, or both, and leaves the descriptor open.
    package static func shutDown(_ socket: borrowing Descriptor, sending: Bool = true, receiving: Bool = true) {
        guard sending || receiving else { return }
        _ = shutdown(socket.number, Int32(sending ? (receiving ? SHUT_RDWR : SHUT_WR) : SHUT_RD))
    }

    private static func transfer(_ call: () -> Int) -> Transfer {
        while true {
            let count = call()
            if count > 0 { return .bytes(count) }
            if count == 0 { return .closed }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case EPIPE, ECONNRESET: return .closed
            default: return .failed(errno)
            }
        }
    }
}
