import Glibc
import Testing

/// Runs the program as a person would: from a shell.
enum Shell {
    /// The program lies beside the tests' own.
    private static let program = {
        let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
        return tests.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/doorstep"
    }()

    /// The lines of both streams; in `script`, `doorstep` is the program and the working folder a new one.
    static func lines(_ script: String) throws -> [String] {
        let begin =
            "doorstep() { '\(program)' \"$@\"; }; folder=$(mktemp -d) && chmod 755 $folder && cd $folder || exit"
        let pipe = try #require(popen("{ \(begin)\n\(script)\ncd / && rm -rf $folder\n} 2>&1", "r"))
        defer { pclose(pipe) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&piece, 1, piece.count, pipe), count > 0 { bytes += piece.prefix(count) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
