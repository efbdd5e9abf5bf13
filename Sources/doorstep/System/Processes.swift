private import Glibc

/// Other processes of this machine, by id.
enum Processes {
    static var ownID: Int32 { getpid() }

    /// The command line of a running process, its words joined by spaces; nil when there is none or it is a zombie.
    static func commandLine(of id: Int32) -> String? {
        guard let bytes = try? Files.read("/proc/\(id)/cmdline"), !bytes.isEmpty else { return nil }
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    /// Signals a process and, where it leads one, its group.
    static func signal(_ number: Int32, to id: Int32) {
        let leadsGroup = getpgid(id) == id
        Glibc.kill(leadsGroup ? -id : id, number)
    }

    static let terminate = SIGTERM
    static let interrupt = SIGINT
    static let kill = SIGKILL
}
