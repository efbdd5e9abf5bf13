internal import Runtime

/// How this program starts itself as the children of `up`.
struct ChildPrograms {
    let folder: DataFolder
    let secrets: DemoSecrets
    let ports: LocalPorts
    let environment: EnvironmentFile

    var url: String { "http://\(LocalPorts.host):\(ports.api)" }
    var simulatorURL: String { "http://\(LocalPorts.host):\(ports.control)" }

    var serve: Program {
        var program = program(
            "serve",
            ["serve", "--config", folder.configurationFile, "--listen", "\(LocalPorts.host):\(ports.api)"]
        )
        program.environment?[Environment.crashVariable] = Environment.all[Environment.crashVariable]
        return program
    }

    var simulator: Program {
        program(
            "apns-sim",
            [
                "apns-sim", "--config", folder.configurationFile, "--certificate", secrets.certificateFile,
                "--key", secrets.privateKeyFile, "--sandbox", "\(ports.sandbox)", "--production", "\(ports.production)",
                "--control", "\(ports.control)", "--sandbox-management", "\(ports.sandboxManagement)",
                "--production-management", "\(ports.productionManagement)", "--doorstep", url,
            ]
        )
    }

    /// Invented orders, sixty times as fast as real ones, again and again.
    var demo: Program {
        let script = """
            seed=$(date +%s)
            while :; do
                "$0" generate --orders 10 --seed "$seed" | "$0" replay - --speed 60 --settle 30
                seed=$((seed + 1))
                sleep 1
            done
            """
        return Program(
            "/bin/sh",
            ["-c", script, Self.executable, folder.path],
            environment: variables,
            workingDirectory: "/",
            logFile: folder.logFile("demo")
        )
    }

    private func program(_ name: String, _ arguments: [String]) -> Program {
        Program(
            Self.executable,
            arguments,
            environment: variables,
            workingDirectory: "/",
            logFile: folder.logFile(name)
        )
    }

    /// Ours, with those of this folder in place of whatever another `up` may have left in the shell.
    private var variables: [String: String] {
        var variables = Environment.all
        for line in environment.lines { variables[line.name] = line.value }
        variables["DOORSTEP_LISTEN"] = nil
        variables["DOORSTEP_SERVICES"] = nil
        variables[Environment.crashVariable] = nil
        return variables
    }

    private static let executable = Files.target(of: "/proc/self/exe")
}

/// Where the children's ids are kept, and by which words of their command lines they are known again.
struct ChildFiles {
    let folder: DataFolder
    let cluster: PostgresCluster

    var postgres: PidFile { PidFile(path: folder.pidFile("postgres"), marks: cluster.marks) }
    var simulator: PidFile { PidFile(path: folder.pidFile("apns-sim"), marks: ["apns-sim", folder.configurationFile]) }
    var serve: PidFile { PidFile(path: folder.pidFile("serve"), marks: ["serve", folder.configurationFile]) }
    var demo: PidFile { PidFile(path: folder.pidFile("demo"), marks: ["/bin/sh", folder.path]) }
    /// PostgreSQL's own note of itself, for the moment between its start and our writing of `postgres`.
    private var postmaster: PidFile { PidFile(path: "\(cluster.data)/postmaster.pid", marks: cluster.marks) }

    /// Ends whatever an `up` that was killed left running.
    func endLeftovers(_ leftovers: Leftovers) async {
        await leftovers.end("demo", demo, signal: Processes.terminate)
        await leftovers.end("serve", serve, signal: Processes.terminate)
        await leftovers.end("apns-sim", simulator, signal: Processes.terminate)
        await leftovers.end("postgres", postgres, signal: Processes.interrupt)
        await leftovers.end("postgres", postmaster, signal: Processes.interrupt)
    }
}
