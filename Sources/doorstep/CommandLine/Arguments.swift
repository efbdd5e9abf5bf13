/// The arguments of one command, taken apart by its specification. What is wrong is gathered, so that a caller hears
/// of everything at once.
struct Arguments {
    private(set) var operands: [String] = []
    private(set) var problems: [String] = []
    private(set) var wantsHelp = false
    private var values: [String: String] = [:]
    private var switches: Set<String> = []
    private let environment: Environment

    /// `--name value`, `--name=value`, switches, operands; `--` ends options, `-` is an operand.
    init(_ words: some Sequence<String>, spec: CommandSpec, environment: Environment) {
        self.environment = environment
        var rest = Array(words)[...]
        var onlyOperands = false
        while let word = rest.popFirst() {
            if onlyOperands || !word.hasPrefix("-") || word == "-" {
                operands.append(word)
            } else if word == "--" {
                onlyOperands = true
            } else {
                take(word, &rest, spec)
            }
        }
        if !wantsHelp { checkOperands(spec) }
    }

    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>, _ spec: CommandSpec) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (name, inline) = (parts[0], parts.count > 1 ? parts[1] : nil)
        if name == "--help" || name == "-h" {
            wantsHelp = true
            return
        }
        guard let option = spec.options.first(where: { $0.name == name }) else {
            problems.append("unknown option \(name)")
            return
        }
        guard let placeholder = option.value else {
            if inline != nil { problems.append("\(name) takes no value") }
            switches.insert(name)
            return
        }
        // An empty value is a variable that was not set: as a path it would mean the working folder.
        guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
            problems.append("\(name) needs a value: \(placeholder)")
            return
        }
        if values.updateValue(value, forKey: name) != nil { problems.append("\(name) is given twice") }
    }

    private mutating func checkOperands(_ spec: CommandSpec) {
        let least = spec.operands.count { $0.count != .optional }
        let most = spec.operands.contains { $0.count == .oneOrMore } ? Int.max : spec.operands.count
        if operands.count < least { problems.append("missing \(spec.operands[operands.count].told)") }
        // As empty as a variable that was not set.
        for (index, operand) in operands.prefix(most).enumerated() where operand.isEmpty {
            problems.append("missing \(spec.operands[min(index, spec.operands.count - 1)].told)")
        }
        for operand in operands.dropFirst(most) { problems.append("unexpected \"\(operand)\"") }
    }

    mutating func complain(_ problem: String) { problems.append(problem) }

    func has(_ name: String) -> Bool { switches.contains(name) }

    /// A value as given; `variable` is asked when the option is absent.
    func text(_ name: String, or variable: String? = nil) -> String? {
        values[name] ?? variable.flatMap { environment[$0] }
    }

    /// A variable of the environment, for what no flag names.
    func variable(_ name: String) -> String? { environment[name] }

    /// The words of a value, separated by commas; none when absent.
    func list(_ name: String) -> [String] { (text(name) ?? "").split(separator: ",").map(String.init) }

    /// A whole number within bounds; nil when absent or wrong (which is then a problem).
    mutating func integer(
        _ name: String,
        or variable: String? = nil,
        in range: ClosedRange<Int> = 0...Int.max
    ) -> Int? {
        guard let text = text(name, or: variable) else { return nil }
        if let number = Int(text), range.contains(number) { return number }
        let bounds =
            range.upperBound == .max
            ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        complain("\(name) must be a whole number \(bounds), not \"\(text)\"")
        return nil
    }

    /// A number above 0.
    mutating func positive(_ name: String) -> Double? {
        guard let text = text(name) else { return nil }
        if let number = Double(text), number > 0, number.isFinite { return number }
        complain("\(name) must be a number above 0, not \"\(text)\"")
        return nil
    }
}
