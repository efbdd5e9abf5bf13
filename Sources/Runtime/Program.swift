private import CLinux
private import Glibc

/// What to start and how: the arguments of `ChildProcess.start`.
package struct Program: Hashable, Sendable {
    /// A path, or a name looked up in PATH.
    package var executable: String
    /// Without the program's own name.
    package var arguments: [String]
    /// The whole environment; nil passes ours on.
    package var environment: [String: String]?
    package var workingDirectory: String?
    /// Receives standard output and error, appended; nil discards both.
    package var logFile: String?

    package init(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        workingDirectory: String? = nil,
        logFile: String? = nil
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.logFile = logFile
    }

    /// Starts the program in a process group of its own, with default signal actions and nothing on standard input.
    func spawn() throws(RuntimeError) -> Int32 {
        var actions = SpawnActions()
        try actions.connectStreams(to: logFile)
        if let workingDirectory { try actions.changeDirectory(workingDirectory) }
        let variables = environment.map { $0.map { "\($0.key)=\($0.value)" }.sorted() }
        return try actions.spawn(executable, [executable] + arguments, variables)
    }
}

/// `posix_spawn`'s two opaque structures, freed together.
@safe
private struct SpawnActions: ~Copyable {
    private var files = unsafe posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()

    init() {
        unsafe posix_spawn_file_actions_init(&files)
        unsafe posix_spawnattr_init(&attributes)
    }

    deinit {
        var files = unsafe files
        var attributes = attributes
        unsafe posix_spawn_file_actions_destroy(&files)
        unsafe posix_spawnattr_destroy(&attributes)
    }

    mutating func connectStreams(to logFile: String?) throws(RuntimeError) {
        try check(
            "posix_spawn_file_actions_addopen",
            unsafe posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        )
        let flags = O_WRONLY | O_CREAT | O_APPEND
        try check(
            "posix_spawn_file_actions_addopen",
            unsafe posix_spawn_file_actions_addopen(&files, 1, logFile ?? "/dev/null", flags, 0o600)
        )
        try check("posix_spawn_file_actions_adddup2", unsafe posix_spawn_file_actions_adddup2(&files, 1, 2))
    }

    mutating func changeDirectory(_ path: String) throws(RuntimeError) {
        try check("posix_spawn_file_actions_addchdir_np", unsafe posix_spawn_file_actions_addchdir_np(&files, path))
    }

    mutating func spawn(
        _ executable: String,
        _ arguments: [String],
        _ environment: [String]?
    )
        throws(RuntimeError) -> Int32
    {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var processID: Int32 = 0
        let failure = unsafe withCStrings(arguments) { arguments in
            guard let environment else {
                return unsafe posix_spawnp(&processID, executable, &files, &attributes, arguments, environ)
            }
            return unsafe withCStrings(environment) { environment in
                unsafe posix_spawnp(&processID, executable, &files, &attributes, arguments, environment)
            }
        }
        try check("posix_spawnp", failure)
        return processID
    }

    /// These calls return the error instead of setting `errno`.
    private func check(_ operation: String, _ failure: Int32) throws(RuntimeError) {
        guard failure == 0 else { throw RuntimeError(.systemCall, operation, errno: failure) }
    }
}

/// Lends texts as the null-ended array of C strings that `exec` wants.
private func withCStrings<Value>(
    _ texts: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Value
) -> Value {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer {
        for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { preconditionFailure("the array ends with nil") }
        return unsafe body(start)
    }
}
