/// Why a replay did not run to its end.
package struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// A file, a map or a combination of settings that cannot be used.
        case badInput
        /// Doorstep or the simulator does not answer.
        case unreachable
        /// A key that does not open what replay needs.
        case refused
        /// Doorstep or the simulator answered something it never should.
        case unexpectedAnswer
    }

    package let code: Code
    /// All that is wrong, one sentence each.
    package let problems: [String]

    package init(_ code: Code, _ problems: [String]) {
        self.code = code
        self.problems = problems
    }

    package init(_ code: Code, _ problem: String) { self.init(code, [problem]) }

    package var description: String { problems.joined(separator: "\n") }
}

/// Collects what is wrong with a file, so that everything can be told at once.
struct Problems {
    /// More than anybody reads; the rest is counted.
    private static let shown = 20

    private var sentences: [String] = []
    private var more = 0

    var isEmpty: Bool { sentences.isEmpty }

    mutating func add(_ sentence: String) {
        if sentences.count < Self.shown { sentences.append(sentence) } else { more += 1 }
    }

    func throwIfAny() throws(ReplayError) {
        guard !isEmpty else { return }
        throw ReplayError(.badInput, more > 0 ? sentences + ["… and \(more) more"] : sentences)
    }
}
