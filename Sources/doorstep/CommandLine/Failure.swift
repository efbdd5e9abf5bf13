/// Why a command ended early: what is told on standard error, and the exit code.
struct Failure: Error {
    enum Code {
        case usage
        case unreachable
        case refused
        case internalError

        var exitCode: ExitCode {
            switch self {
            case .usage: .usage
            case .unreachable: .unreachable
            case .refused: .refused
            case .internalError: .internalError
            }
        }
    }

    let code: Code
    /// One sentence each, with the remedy where there is one.
    let problems: [String]

    init(_ code: Code, _ problems: [String]) {
        self.code = code
        self.problems = problems
    }

    init(_ code: Code, _ problem: String) { self.init(code, [problem]) }
}
