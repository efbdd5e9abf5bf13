import Glibc
import JSONText
import Runtime
import Testing

/// A headless Chromium on the live page, driven by Tests/Foreign/cdp.py.
struct Browser {
    struct Failure: Error {
        let output: String
    }

    static let isInstalled = ["chromium", "python3"].allSatisfy { program in
        ["/usr/bin", "/usr/local/bin"].contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// One thing to do in the page.
    enum Step {
        case window(width: Int, height: Int)
        case dark(Bool)
        /// Until this is true in the page.
        case wait(String)
        case click(String)
        case press(String)
        /// The value becomes a result.
        case value(String)
        /// A file in `$DOORSTEP_SCREENSHOTS`, if that is set.
        case picture(String)

        fileprivate var json: JSON? {
            switch self {
            case .window(let width, let height): ["size": [.integer(width), .integer(height)]]
            case .dark(let isDark): ["dark": .bool(isDark)]
            case .wait(let condition): ["wait": .string(condition)]
            case .click(let selector): ["click": .string(selector)]
            case .press(let key): ["key": .string(key)]
            case .value(let expression): ["evaluate": .string(expression)]
            case .picture(let name): Browser.pictures.map { ["screenshot": .string("\($0)/\(name).png")] }
            }
        }
    }

    private static let pictures = getenv("DOORSTEP_SCREENSHOTS").map { String(cString: $0) }

    /// Opens the page and does the steps; the results of the `value` steps. A page that complains (an error, or its own
    /// policy that forbids something) is a failure.
    static func open(_ url: String, on loop: EventLoop, _ steps: [Step]) async throws -> [JSON] {
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let list = JSON.array(steps.compactMap(\.json))
        let arguments = ["/\(tests)/Foreign/cdp.py", url, String(decoding: list.serialized(), as: UTF8.self)]
        let answer = try JSON.parse(Array(try await run("python3", arguments, on: loop).utf8))
        #expect(answer["complaints"] == [])
        return answer["results"]?.arrayValue ?? []
    }

    /// Runs a program to its end; what it wrote.
    static func run(_ program: String, _ arguments: [String], on loop: EventLoop) async throws -> String {
        var template = Array("/tmp/page-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer {
            close(descriptor)
            unlink(path)
        }
        let exit = try await ChildProcess.start(Program(program, arguments, logFile: path), on: loop).waitForExit()
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        let output = String(decoding: bytes, as: UTF8.self)
        guard exit == .code(0) else { throw Failure(output: output) }
        return output
    }
}
