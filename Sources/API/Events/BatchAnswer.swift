internal import HTTPServer
internal import JSONText

/// The results of a batch, in the order of its items.
struct BatchAnswer {
    private var results: [JSONObject]
    private var isComplete = true
    /// The longest wait any item asks for.
    private var retryAfter: Int?
    /// The first item that may be sent again as it is.
    private(set) var unavailable: Problem?

    init(count: Int) {
        results = (0..<count).map { ["index": .integer($0), "id": nil, "status": nil] }
    }

    mutating func identify(_ index: Int, id: String?) {
        results[index]["id"] = .optional(id)
    }

    mutating func keep(_ index: Int, status: Int, _ receipt: JSONObject) {
        results[index]["status"] = .integer(status)
        for member in receipt.members { results[index][member.name] = member.value }
    }

    mutating func refuse(_ index: Int, _ problem: Problem) {
        isComplete = false
        results[index]["status"] = .integer(problem.kind.status)
        results[index]["problem"] = .object(problem.json)
        if problem.kind.isUnavailability { unavailable = unavailable ?? problem }
        if case .retryAfter(let seconds) = problem.extra { retryAfter = max(retryAfter ?? 0, seconds) }
    }

    /// 202 when every item was kept, 207 otherwise, 200 for a batch of none.
    var response: HTTPResponse {
        .json(
            ["results": .array(results.map(JSON.object))],
            status: results.isEmpty ? 200 : isComplete ? 202 : 207,
            headers: retryAfter.map { [HTTPField("Retry-After", String($0))] } ?? []
        )
    }
}
