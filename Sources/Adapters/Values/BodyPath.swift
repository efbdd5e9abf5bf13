internal import JSONText

/// Where a value stands in a webhook's body: `order.id`, `riders[0].name`, `metadata[name=orderId].value`.
///
/// In a rule over a list, a path that begins with a dot starts at the list's element, one with two dots at the element
/// around it: `.status`, `..full_name`. `$` is the whole body.
struct BodyPath: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case member(String)
        case index(Int)
        /// The first element of a list whose member has this text.
        case first(member: String, text: String)
        /// Every element; only where a rule names its list.
        case each
    }

    /// The path as it was written.
    let text: String
    /// How many dots it begins with: 0 the body, 1 the element, 2 the one around it.
    let level: Int
    let steps: [Step]

    /// Nil when it is none.
    init?(_ text: String) {
        self.text = text
        let dots = text.prefix { $0 == "." }.count
        level = dots
        let rest = text.dropFirst(dots)
        if rest == "$", dots == 0 {
            steps = []
            return
        }
        guard let steps = Self.steps(of: rest), dots <= 2 else { return nil }
        self.steps = steps
    }

    var goesThroughLists: Bool { steps.contains(.each) }

    private static let special: Set<Character> = ["{", "}", "|", "#", "'", "]", "$"]

    private static func steps(of text: Substring) -> [Step]? {
        var steps: [Step] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let brackets = part.split(separator: "[", omittingEmptySubsequences: false)
            guard let name = brackets.first, !name.isEmpty, !name.contains(where: special.contains) else { return nil }
            steps.append(.member(String(name)))
            for bracket in brackets.dropFirst() {
                guard bracket.last == "]", let step = step(inBrackets: bracket.dropLast()) else { return nil }
                steps.append(step)
            }
        }
        return steps
    }

    private static func step(inBrackets text: Substring) -> Step? {
        if text == "*" { return .each }
        if let index = Int(text) { return index >= 0 ? .index(index) : nil }
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ !$0.isEmpty && !$0.contains(where: special.contains) }) else {
            return nil
        }
        return .first(member: String(sides[0]), text: String(sides[1]))
    }
}

extension JSON {
    /// What a template inserts: a text, a number in the sender's own digits, or a truth value; nil for anything else.
    var scalarText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
