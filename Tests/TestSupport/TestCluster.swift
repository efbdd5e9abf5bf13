private import Glibc
private import Postgres
private import Runtime

/// The PostgreSQL server of this test process: the one `TEST_DATABASE_URL` names, else a private one that is made on
/// first use in a temporary folder and goes away with the process, however that ends.
package actor TestCluster {
    package static let shared = TestCluster()

    /// False only when there is neither a server to start nor one to use.
    package static var isAvailable: Bool { givenURL != nil || binaries != nil }

    private static var givenURL: String? { environment("TEST_DATABASE_URL") }

    private static let binaries: String? = {
        let versions = ["17", "16", "15"].map { "/usr/lib/postgresql/\($0)/bin" }
        let candidates = versions + (environment("PATH") ?? "").split(separator: ":").map(String.init)
        return candidates.first { access("\($0)/initdb", X_OK) == 0 && access("\($0)/postgres", X_OK) == 0 }
    }()

    private var started: Task<String, any Error>?

    /// The URL of a database in which others can be made. Starts the server on first use.
    package func adminURL() async throws -> String {
        if let url = Self.givenURL { return url }
        // Shared by all tests that ask meanwhile, so it may not belong to the first one's task.
        let start = started ?? Task { try await Self.start() }
        started = start
        return try await start.value
    }

    private static func start() async throws -> String {
        guard let binaries else { throw Missing() }
        let folder = "/tmp/doorstep-test-\(getpid())"
        let program = Program(
            "/bin/sh",
            ["-c", script, "cluster", binaries, folder, String(getpid())],
            logFile: "\(folder).log"
        )
        let loop = TestLoop.shared
        _ = try await Task(executorPreference: loop.tasks) {
            try await ChildProcess.start(program, on: loop)
        }.value
        let url = "postgresql://postgres@/postgres?host=\(folder)"
        var failure: (any Error)?
        for _ in 0..<600 {
            do {
                try await PostgresConnection.open(on: loop, PostgresSettings(url: url)).close()
                return url
            } catch {
                failure = error
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        throw failure ?? Missing()
    }

    /// Makes a cluster and runs it until the tests' process is gone. Nothing here survives, so nothing is synced.
    /// PostgreSQL refuses to run as root.
    private static let script = """
        bin=$1 dir=$2 parent=$3
        rm -rf "$dir" && mkdir -m 700 "$dir" || exit 1
        as=
        if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; as="setpriv --reuid=postgres --regid=postgres --init-groups"; fi
        cd "$dir" || exit 1
        $as "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C -N >/dev/null || exit 1
        $as "$bin/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c fsync=off -c full_page_writes=off \
          -c max_connections=200 -c shared_buffers=64MB -c autovacuum_naptime=10s &
        server=$!
        while kill -0 "$parent" 2>/dev/null && kill -0 "$server" 2>/dev/null; do sleep 0.3; done
        kill -QUIT "$server" 2>/dev/null
        wait "$server" 2>/dev/null
        rm -rf "$dir" "$dir.log"
        """

    /// No PostgreSQL is installed and `TEST_DATABASE_URL` names none.
    private struct Missing: Error {}
}

private func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
}
