/// How every command ends (docs/cli.md).
enum ExitCode: Int32 {
    case done = 0
    /// A check found something.
    case checkFailed = 1
    /// Wrong arguments or configuration; all errors were listed.
    case usage = 2
    /// Something needed is unreachable or in use; the remedy was told.
    case unreachable = 3
    /// The other side said no.
    case refused = 4
    /// Our own mistake.
    case internalError = 70
    case interrupted = 130
}
