private import JSONText

struct ExplainCommand: Command {
    static let spec = CommandSpec(
        name: "explain",
        summary: "Tells why each phone did or did not get a push for an order, and what happens next.",
        operands: [.init("ORDER", .one, "the order's id")],
        options: ServiceClient.options + [
            .init("--device", "D", "this phone only"),
            .init("--at", "TIME", "what was known and decided up to then; RFC 3339 with its offset"),
            .init(
                "--redecide",
                nil,
                "beside each decision what today's policy would decide there;\nnothing that was recorded changes"
            ),
            .init(
                "--json",
                nil,
                "one JSON object: {order, at, phase, policyVersion, timer,\nphones: [{device, cards, decisions, answers}]}"
            ),
        ]
    )

    private let client: ServiceClient
    private let order: String
    private let device: String?
    private let time: String?
    private let redecide: Bool
    private let json: Bool

    init(_ arguments: inout Arguments) {
        client = ServiceClient(&arguments)
        order = arguments.operands.first ?? ""
        device = arguments.text("--device")
        time = arguments.text("--at")
        redecide = arguments.has("--redecide")
        json = arguments.has("--json")
        if let time, RFC3339.parse(time)?.hasOffset != true {
            arguments.complain("--at must be a time such as 2026-11-30T12:00:00Z, not \"\(time)\"")
        }
    }

    func run(_ context: CommandContext) async throws(Failure) -> ExitCode {
        let console = Console(json: json)
        var query = redecide ? "&redecide=true" : ""
        if let time { query += "&at=\(time.percentEncoded)" }
        let path = "/v1/orders/\(order.percentEncoded)/explanation"
        var answer = try await client.get(path, query: query, on: context.loop).objectValue ?? JSONObject()
        if let device {
            let phones = answer["phones"]?.arrayValue?.filter { $0["device"]?.stringValue == device } ?? []
            guard !phones.isEmpty else {
                throw Failure(.refused, "phone \(device) has nothing to do with this order; leave --device out for all")
            }
            answer["phones"] = .array(phones)
        }
        console.print(lines: ExplanationText(.object(answer), redecided: redecide).lines)
        console.print(JSON.object(answer))
        return .done
    }
}
