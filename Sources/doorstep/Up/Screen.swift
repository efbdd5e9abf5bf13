private import JSONText
internal import Runtime

/// What `up` shows: where everything is once it is ready, and one live line below.
struct Screen: Sendable {
    private let console: Console
    private let environment: Environment
    private let loop: EventLoop
    private let stack = Locked<Supervisor.Stack?>(nil)

    init(_ console: Console, environment: Environment, loop: EventLoop) {
        self.console = console
        self.environment = environment
        self.loop = loop
    }

    /// A line of news, above the live line.
    @Sendable func note(_ text: String) {
        if Console.errorIsTerminal { console.progress("") }
        console.note("doorstep up: \(text)")
    }

    /// Everything is ready: the first screen on standard error, the one line or object on standard output.
    @Sendable func show(_ stack: Supervisor.Stack) {
        for (name, text) in lines(stack) {
            console.note(name + String(repeating: " ", count: 13 - name.count) + text)
        }
        let url = stack.environment["DOORSTEP_URL"] ?? ""
        console.print("ready \(url)")
        console.print(
            [
                "ready": .string(url), "pid": .integer(Processes.ownID), "ports": stack.ports.json,
                "env": .string(stack.folder.environmentFile),
            ] as JSON
        )
        self.stack.withLock { $0 = stack }
    }

    private func lines(_ stack: Supervisor.Stack) -> [(String, String)] {
        let (folder, ports) = (stack.folder, stack.ports)
        var lines = [("doorstep", Doorstep.version)]
        if let packages = environment["DOORSTEP_PACKAGES"] { lines.append(("packages", packages)) }
        if let seconds = environment["DOORSTEP_BUILD_SECONDS"] { lines.append(("build", "\(seconds) s")) }
        let program = CommandLine.arguments.first ?? "doorstep"
        return lines + [
            ("database", "PostgreSQL \(stack.cluster.version) in \(stack.cluster.data)"),
            ("simulator", "APNs sandbox on \(ports.sandbox), production on \(ports.production)"),
            ("console", "http://\(LocalPorts.host):\(ports.api)/"),
            ("phones", "http://\(LocalPorts.host):\(ports.control)/"),
            ("environment", "set -a; . \(folder.environmentFile); set +a"),
            ("try", "\(program) generate --orders 20 --seed 1 | \(program) replay - --speed 60"),
            ("logs", "\(folder.path)/log"),
        ]
    }

    /// Keeps the live line up to date until cancelled; shows none where nobody looks.
    func run() async {
        guard Console.errorIsTerminal else { return }
        while !Task.isCancelled {
            if let stack = stack.withLock({ $0 }) {
                await StatusLine(stack, loop: loop).run { console.progress($0) }
            }
            try? await loop.sleep(for: .milliseconds(200))
        }
        console.endProgress()
    }
}

extension LocalPorts {
    fileprivate var json: JSON {
        [
            "api": .integer(api), "sandbox": .integer(sandbox), "production": .integer(production),
            "control": .integer(control), "sandboxManagement": .integer(sandboxManagement),
            "productionManagement": .integer(productionManagement),
        ]
    }
}
