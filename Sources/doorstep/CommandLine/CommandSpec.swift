/// What a command line may hold, and how it is explained.
struct CommandSpec: Sendable {
    struct Option: Sendable {
        /// With its dashes.
        let name: String
        /// What stands for the value in the help; nil for a switch.
        let value: String?
        let help: String

        init(_ name: String, _ value: String? = nil, _ help: String) {
            self.name = name
            self.value = value
            self.help = help
        }
    }

    struct Operand: Sendable {
        enum Count: Sendable {
            case one
            case optional
            case oneOrMore
        }

        let name: String
        let count: Count
        let help: String

        init(_ name: String, _ count: Count = .one, _ help: String) {
            self.name = name
            self.count = count
            self.help = help
        }

        /// Name and meaning, for one who left it out.
        var told: String { "\(name): \(help)" }

        var usage: String {
            switch count {
            case .one: name
            case .optional: "[\(name)]"
            case .oneOrMore: "\(name)..."
            }
        }
    }

    /// As typed after `doorstep`; of one or two words.
    let name: String
    let summary: String
    var operands: [Operand] = []
    var options: [Option] = []

    /// The help of this command.
    var help: String {
        var text = "\(summary)\n\nusage: doorstep \(([name] + operands.map(\.usage)).joined(separator: " "))"
        text += " [options]\n"
        let rows =
            operands.map { (left: $0.name, right: $0.help) }
            + (options + [Self.helpOption]).map { (left: $0.usage, right: $0.help) }
        let width = rows.map(\.left.count).max() ?? 0
        for row in rows {
            let padding = String(repeating: " ", count: width - row.left.count + 2)
            let indent = "\n" + String(repeating: " ", count: width + 4)
            text += "\n  \(row.left)\(padding)" + row.right.split(separator: "\n").joined(separator: indent)
        }
        return text
    }

    static let helpOption = Option("--help", nil, "show this")
}

extension CommandSpec.Option {
    var usage: String { value.map { "\(name) \($0)" } ?? name }
}
