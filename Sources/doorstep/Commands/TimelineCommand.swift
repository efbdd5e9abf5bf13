private import JSONText

struct TimelineCommand: Command {
    static let spec = CommandSpec(
        name: "timeline",
        summary: "Shows what happened to an order.",
        operands: [.init("ORDER", .one, "the order's id")],
        options: ServiceClient.options + [
            .init(
                "--view",
                "full|facts",
                "full (default): every fact as it came; facts: partners' facts in fold order"
            ),
            .init("--json", nil, "one JSON object: {items}"),
        ]
    )

    private let client: ServiceClient
    private let order: String
    private let view: String
    private let json: Bool

    init(_ arguments: inout Arguments) {
        client = ServiceClient(&arguments)
        order = arguments.operands.first ?? ""
        view = arguments.text("--view") ?? "full"
        json = arguments.has("--json")
        if !["full", "facts"].contains(view) { arguments.complain("--view must be full or facts, not \"\(view)\"") }
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        let path = "/v1/orders/\(order.percentEncoded)/timeline"
        let items = try await client.items(of: path, query: "&view=\(view)", on: context.loop)
        for item in items { console.print(lines: Self.lines(item)) }
        console.print(["items": .array(items)] as JSON)
        return .done
    }

    /// Event time, what happened, what it did; then what was decided.
    private static func lines(_ item: JSON) -> [String] {
        func text(_ name: String) -> String { item[name]?.stringValue ?? "" }
        let time = text("time").isEmpty ? text("recordedAt") : text("time")
        let effect = item["effect"]?.stringValue.map { "  \($0) → \(text("phase"))" } ?? ""
        let decisions = (item["decisions"]?.arrayValue ?? []).map { decision in
            let words = ["device", "verdict", "reason"].map { decision[$0]?.stringValue ?? "" }
            return "    \(words[0]): \(words[1]), \(words[2])"
        }
        return ["\(time)  \(text("type"))  \(text("source"))\(effect)"] + decisions
    }
}
