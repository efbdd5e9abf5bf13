import JSONText
import Testing

@testable import doorstep

struct OutputTests {
    @Test(arguments: [
        "generate --orders 10 --seed 1", "config show", "config check", "config check --json", "version", "help",
        "generate --help", "keys --help",
    ])
    func `output that cannot be written is told and fails`(_ command: String) throws {
        #expect(
            try Shell.lines("doorstep \(command) > /dev/full; echo $?")
                == ["doorstep: cannot write standard output: No space left on device", "3"]
        )
    }

    @Test func `a reader that has enough ends the command quietly`() throws {
        let lines = try Shell.lines("{ doorstep generate --orders 2000 --seed 1; echo $? >&2; } | head -n 1")
        #expect(lines.count == 2)
        #expect(lines.contains("0"))
    }

    @Test func `the version may be asked for as an option`() throws {
        #expect(try Shell.lines("doorstep --version") == (try Shell.lines("doorstep version")))
        #expect(try Shell.lines("doorstep --version --json") == (try Shell.lines("doorstep version --json")))
    }

    @Test func `what a terminal would obey is shown as an escape`() throws {
        let foreign = "a\u{1B}[2K\nb\r\u{9B}31m\u{7F}c\u{2028}\u{202E}d\u{2066}e\u{0}Zo\u{EB} \u{1F355}"
        let shown = foreign.printable
        #expect(shown == #"a\u001B[2K\u000Ab\u000D\u009B31m\u007Fc\u2028\u202Ed\u2066e\u0000Zo"# + "\u{EB} \u{1F355}")
        #expect(shown.printable == shown)
        let all = (0...0x2070).compactMap(Unicode.Scalar.init).map { String($0).printable }
        #expect(!all.joined().unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test func `JSON stays the same JSON`() throws {
        let json: JSON = ["name": "\u{9B}31m\u{202E}\n\u{7F}", "list": [1, nil, "Ana"]]
        #expect(try JSON.parse(Array(json.description.printable.utf8)) == json)
    }

    @Test func `a mistake that is told cannot forge another line`() throws {
        let lines = try Shell.lines(#"doorstep "$(printf 'x\033[2K\ny')"; doorstep version "$(printf 'a\nb')""#)
        #expect(lines.first == #"doorstep: unknown command "x\u001B[2K\u000Ay"; `doorstep --help` lists them"#)
        #expect(lines.contains(#"doorstep version: unexpected "a\u000Ab""#))
    }
}
