internal import Runtime

/// The private PostgreSQL of one data folder: where it lies, how it is made and how it is started.
///
/// It listens on a Unix socket only, in a folder that nobody but its user may enter.
struct PostgresCluster: Sendable {
    private static let user = "doorstep"

    let data: String
    private let socket: String
    private let binaries: PostgresBinaries
    /// The user it runs as when we are root, which PostgreSQL refuses to be.
    private let account: UserAccount?
    private let log: String

    /// Chooses the places; makes nothing yet.
    init(_ folder: DataFolder, path: String?) throws(Failure) {
        account = UserAccount.isRoot ? UserAccount(named: "postgres") : nil
        if UserAccount.isRoot, account == nil {
            throw Failure(.unreachable, "as root, PostgreSQL needs the user `postgres`; run deploy/install-packages.sh")
        }
        let near = "\(folder.path)/postgres"
        let isReachable = account.map { Files.canEnter(folder.path, as: $0) } ?? true
        data = isReachable ? near : "/var/lib/doorstep/\(folder.fingerprint)"
        // A socket's path has room for 107 bytes; the file name takes some of them.
        let isShort = "\(data)/.s.PGSQL.5432".utf8.count <= 100
        socket = isShort ? data : "/tmp/doorstep-\(folder.fingerprint)"
        binaries = try PostgresBinaries.find(for: data, path: path)
        log = folder.logFile("postgres")
    }

    /// For a database of this cluster.
    func url(database: String) -> String {
        "postgresql:///\(database)?host=\(socket.percentEncoded)&user=\(Self.user)"
    }

    var marks: [String] { ["postgres", data] }

    /// The major version, once it is made.
    var version: String {
        ((try? Files.readText("\(data)/PG_VERSION")) ?? "").filter { !$0.isWhitespace }
    }

    var isMade: Bool { Files.exists("\(data)/PG_VERSION") }

    /// Makes the cluster's folders, and the cluster itself when it does not exist.
    func make(on loop: EventLoop) async throws(Failure) {
        do throws(FileError) {
            try makeOwn(data)
            if socket != data { try makeOwn(socket) }
        } catch {
            throw Failure(.unreachable, "cannot make \(error)")
        }
        guard !isMade else { return }
        let arguments = [
            "--pgdata=\(data)", "--username=\(Self.user)", "--auth=trust", "--encoding=UTF8", "--locale=C",
            "--no-instructions",
        ]
        let exit: ChildProcess.Exit
        do throws(RuntimeError) {
            exit = try await ChildProcess.start(program("initdb", arguments), on: loop).waitForExit()
        } catch {
            throw Failure(.unreachable, "initdb cannot be started: \(error)")
        }
        guard exit == .code(0) else {
            throw Failure(.unreachable, "initdb failed; \(ChildLog(path: log).hint)")
        }
    }

    private func makeOwn(_ folder: String) throws(FileError) {
        try Files.makeFolder(folder, mode: 0o700)
        if let account { try Files.give(folder, to: account) }
    }

    /// The server itself. Commits are durable; the rest is sized for a developer's machine.
    var server: Program {
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(socket)", "unix_socket_permissions=0700",
            "max_connections=100",
            "shared_buffers=128MB", "wal_compression=on", "max_wal_size=2GB", "checkpoint_timeout=15min",
            // Plans made on empty tables are made again once the tables were looked at: soon, when load begins at once.
            "autovacuum_naptime=5s",
            "logging_collector=off", "log_timezone=UTC", "timezone=UTC",
        ]
        return program("postgres", ["-D", data] + settings.flatMap { ["-c", $0] })
    }

    private func program(_ name: String, _ arguments: [String]) -> Program {
        let path = "\(binaries.folder)/\(name)"
        var environment = Environment.all
        environment[Environment.crashVariable] = nil
        guard let account else {
            return Program(path, arguments, environment: environment, workingDirectory: "/", logFile: log)
        }
        let identity = ["--reuid=\(account.id)", "--regid=\(account.group)", "--init-groups"]
        return Program(
            "setpriv",
            identity + [path] + arguments,
            environment: environment,
            workingDirectory: "/",
            logFile: log
        )
    }
}

extension String {
    /// For a value in libpq's URL.
    var percentEncoded: String {
        utf8.reduce(into: "") { encoded, byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                encoded.append(character)
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
