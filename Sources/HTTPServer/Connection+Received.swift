private import Glibc

extension Connection {
    /// Whether the client has ever sent a byte; the library does not say what it holds of an unfinished line.
    ///
    /// Reads `tcpi_bytes_received` of linux/tcp.h, 64 bits at byte 128 since Linux 4.1; the C library's own `tcp_info`
    /// ends before it. False when the kernel does not tell.
    var hasReceived: Bool {
        let offset = 128
        var info = [UInt8](repeating: 0, count: offset + MemoryLayout<UInt64>.size)
        var size = socklen_t(info.count)
        let result = unsafe getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &size)
        return result == 0 && Int(size) == info.count && info[offset...].contains { $0 != 0 }
    }
}
