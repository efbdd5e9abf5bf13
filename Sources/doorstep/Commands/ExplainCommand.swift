private import JSONText

struct ExplainCommand: Command {
    static let spec = CommandSpec(
        name: "explain",
        summary: "Tells why each phone did or did not get a push for an order.",
        operands: [.init("ORDER", .one, "the order's id")],
        options: ServiceClient.options + [.init("--json", nil, "one JSON object: {phones}")]
    )

    private let client: ServiceClient
    private let order: String
    private let json: Bool

    init(_ arguments: inout Arguments) {
        client = ServiceClient(&arguments)
        order = arguments.operands.first ?? ""
        json = arguments.has("--json")
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        let path = "/v1/orders/\(order.percentEncoded)/timeline"
        let phones = Self.byPhone(try await client.items(of: path, query: "&view=full", on: context.loop))
        if phones.isEmpty { console.print("nothing was decided: no phone is linked to this order") }
        for (phone, decisions) in phones {
            console.print(phone)
            for decision in decisions { console.print(Self.line(decision)) }
        }
        console.print(
            [
                "phones": .array(phones.map { ["device": .string($0.phone), "decisions": .array($0.decisions)] })
            ] as JSON
        )
        return .done
    }

    /// The decisions about each phone as they were recorded, each with the fact that caused it.
    private static func byPhone(_ items: [JSON]) -> [(phone: String, decisions: [JSON])] {
        var decisions: [String: [JSON]] = [:]
        for item in items {
            for decision in item["decisions"]?.arrayValue ?? [] {
                var told = decision.objectValue ?? JSONObject()
                let phone = told["device"]?.stringValue ?? ""
                told["device"] = nil
                told["at"] = item["recordedAt"]
                told["because"] = item["type"]
                decisions[phone, default: []].append(.object(told))
            }
        }
        return decisions.sorted { $0.key < $1.key }.map { (phone: $0.key, decisions: $0.value) }
    }

    private static func line(_ decision: JSON) -> String {
        func text(_ name: String) -> String { decision[name]?.stringValue ?? "" }
        let policy = decision["policyVersion"]?.int64Value.map { "policy \($0)" } ?? ""
        return "  \(text("at"))  \(text("because")): \(text("verdict")), \(text("reason"))  \(policy)"
    }
}
