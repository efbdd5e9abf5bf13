import Testing

@testable import doorstep

struct ArgumentsTests {
    private static let spec = CommandSpec(
        name: "try",
        summary: "Tries.",
        operands: [.init("FILE", .one, "a file"), .init("OTHER", .optional, "another")],
        options: [.init("--count", "N", "how many"), .init("--loud", nil, "loudly")]
    )

    private func parse(_ words: String..., environment: [String: String] = [:]) -> Arguments {
        Arguments(words, spec: Self.spec, environment: Environment { environment[$0] })
    }

    @Test func `options take their value apart or after an equals sign`() {
        var apart = parse("f", "--count", "3", "--loud")
        var joined = parse("--count=3", "f")
        #expect(apart.integer("--count") == 3)
        #expect(joined.integer("--count") == 3)
        #expect(apart.has("--loud"))
        #expect(!joined.has("--loud"))
        #expect(apart.problems.isEmpty && joined.problems.isEmpty)
    }

    @Test func `a dash is an operand, and two dashes end the options`() {
        #expect(parse("-").operands == ["-"])
        #expect(parse("--", "--loud").operands == ["--loud"])
    }

    @Test func `every mistake is told at once`() {
        var arguments = parse("--colour", "--count", "three", "a", "b", "c", "--loud=yes")
        #expect(arguments.integer("--count") == nil)
        #expect(arguments.problems.count == 4)
    }

    @Test func `missing operands and values are mistakes, asking for help is none`() {
        #expect(parse().problems == ["missing FILE: a file"])
        #expect(parse("").problems == ["missing FILE: a file"])
        #expect(parse("f", "").problems == ["missing OTHER: another"])
        #expect(parse("f", "--count").problems == ["--count needs a value: N"])
        #expect(parse("f", "--count", "1", "--count", "2").problems == ["--count is given twice"])
        #expect(parse("--help").problems.isEmpty)
        #expect(parse("--help").wantsHelp)
    }

    @Test func `an empty value of any option of any command is a mistake`() {
        for command in Doorstep.commands {
            for option in command.spec.options {
                guard let value = option.value else { continue }
                for words in [[option.name, ""], ["\(option.name)="]] {
                    let arguments = Arguments(words, spec: command.spec, environment: Environment { _ in nil })
                    #expect(arguments.problems.contains("\(option.name) needs a value: \(value)"))
                }
            }
        }
    }

    @Test func `a flag wins over the environment, an empty variable counts as unset`() {
        let variables = ["COUNT": "7", "EMPTY": ""]
        #expect(parse("f", "--count", "3", environment: variables).text("--count", or: "COUNT") == "3")
        #expect(parse("f", environment: variables).text("--count", or: "COUNT") == "7")
        #expect(parse("f", environment: variables).text("--count", or: "EMPTY") == nil)
    }

    @Test func `numbers outside their bounds are mistakes that name them`() {
        var arguments = parse("f", "--count", "70000")
        #expect(arguments.integer("--count", in: 0...65_535) == nil)
        #expect(arguments.problems == ["--count must be a whole number from 0 to 65535, not \"70000\""])
    }

    @Test func `every command explains every option it takes`() {
        for command in Doorstep.commands {
            for option in command.spec.options { #expect(command.spec.help.contains(option.name)) }
            #expect(command.spec.help.contains("--help"))
            #expect(Set(command.spec.options.map(\.name)).count == command.spec.options.count)
        }
    }
}
