import Glibc
import TestSupport
import Testing

struct UpTests {
    /// A cluster that PostgreSQL knows as one of its own and cannot start.
    private static let brokenCluster = """
        mkdir -p d/postgres d/keys && ls /usr/lib/postgresql | sort -n | tail -n 1 > d/postgres/PG_VERSION
        touch d/postgres/postgresql.conf
        """

    @Test func `an empty folder name or a port in use is told before anything is written`() throws {
        #expect(try Shell.lines("doorstep up --data ''; echo $?; ls -A").last == "2")
        let (socket, port) = try takenPort()
        defer { close(socket) }
        let lines = try Shell.lines("doorstep up --data d --port \(port); echo $?; ls -A")
        #expect(lines.count == 2)
        #expect(lines.first?.contains("port \(port) on 127.0.0.1 is in use") == true)
        #expect(lines.last == "3")
    }

    /// A port of this machine that somebody listens on.
    private func takenPort() throws -> (socket: Int32, port: UInt16) {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try #require(bind(socket, address, length) == 0 && listen(socket, 1) == 0)
                try #require(getsockname(socket, address, &length) == 0)
            }
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    @Test(.enabled(if: TestDatabase.isAvailable))
    func `a master key that is gone is not replaced while there is a database`() throws {
        let lines = try Shell.lines("\(Self.brokenCluster)\ndoorstep up --data d --port 0; echo $?; ls d/keys")
        #expect(lines.count == 2)
        #expect(lines.first?.contains("put it back from the backup") == true)
        #expect(lines.last == "3")
    }

    @Test(.enabled(if: TestDatabase.isAvailable))
    func `a child that never gets ready is given up with its last words`() throws {
        let key = "echo \(String(repeating: "0", count: 64)) > d/keys/master"
        let lines = try Shell.lines("\(Self.brokenCluster)\n\(key)\ndoorstep up --data d --port 0; echo $?")
        #expect(lines.last == "3")
        let told = lines.dropLast()
        #expect(told.count == 6)
        #expect(told.allSatisfy { $0.contains("postgres ended") && $0.contains("/log/postgres.log: ") })
        #expect(told.last?.contains("5 times") == true)
    }
}
