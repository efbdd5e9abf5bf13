/// Everything that is wrong with an adapter, or why a webhook becomes no events.
package struct AdapterError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The adapter breaks a rule of its format.
        case badAdapter
        /// The body is not JSON, or not the token that the adapter expects.
        case badBody
        /// The body lacks what an event needs, has it in a form that cannot be read, or beyond a limit.
        case noEvent
        /// The body lists more events than are taken at once.
        case tooManyEvents
    }

    /// One thing that is wrong, with the place in the adapter or in the body. Values of the body are never repeated.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// A JSON pointer (RFC 6901).
        package let pointer: String
        package let detail: String

        package init(pointer: String, detail: String) {
            self.pointer = pointer
            self.detail = detail
        }

        package var description: String { pointer.isEmpty ? detail : "\(pointer): \(detail)" }
    }

    package let code: Code
    package let problems: [Problem]

    package init(code: Code, problems: [Problem]) {
        self.code = code
        self.problems = problems
    }

    package var description: String { problems.map(\.description).joined(separator: "; ") }
}

/// Joins steps to a JSON pointer.
func pointer(_ steps: String...) -> String {
    steps.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
}
