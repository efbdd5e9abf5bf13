import Testing

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
}
