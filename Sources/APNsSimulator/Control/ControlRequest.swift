internal import JSONText

/// A request to the control API, taken apart.
struct ControlRequest: Sendable {
    let method: String
    /// Percent-decoded segments of the path.
    let path: [String]
    let query: [String: String]
    let body: [UInt8]

    /// Nil when a part is not percent-encoded UTF-8.
    init?(method: String, path: String, query: String?, body: [UInt8]) {
        var segments: [String] = []
        for part in path.split(separator: "/") {
            guard let decoded = Self.decode(part) else { return nil }
            segments.append(decoded)
        }
        self.method = method
        self.path = segments
        self.body = body
        var values: [String: String] = [:]
        for pair in (query ?? "").split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(halves[0]), let value = Self.decode(halves.count > 1 ? halves[1] : "") else {
                return nil
            }
            values[name] = value
        }
        self.query = values
    }

    /// The body as JSON; an empty one is an empty object.
    func json() throws(ControlProblem) -> JSON {
        if body.isEmpty { return [:] }
        do {
            return try JSON.parse(body)
        } catch {
            throw ControlProblem(400, "the body must be JSON: \(error)")
        }
    }

    /// Where a list begins and how much of it is wanted.
    func page(maximum: Int = 10_000) throws(ControlProblem) -> (after: Int, limit: Int) {
        // Digits are a number in JSON, and what is none is no number there either.
        let members = query.map { JSONObject.Member(name: $0.key, value: .number($0.value)) }
        var form = try Form(.object(JSONObject(members)))
        let after = try form.take("after", .whole(0...Int(Int32.max) << 20)) ?? 0
        let limit = try form.take("limit", .whole(1...maximum)) ?? 100
        try form.end()
        return (after, limit)
    }

    private static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}

/// Why the control API says no.
struct ControlProblem: Error, Sendable {
    let status: Int
    let detail: String

    init(_ status: Int, _ detail: String) {
        self.status = status
        self.detail = detail
    }
}

struct ControlHeader: Sendable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Its answer.
struct ControlReply: Sendable {
    var status = 200
    var contentType = "application/json"
    var body: [UInt8] = []
    /// Beside the type of the content.
    var headers: [ControlHeader] = []

    static func json(_ value: JSON, status: Int = 200) -> ControlReply {
        ControlReply(status: status, body: value.serialized())
    }

    static let noContent = ControlReply(status: 204)

    /// RFC 9457.
    static func problem(_ problem: ControlProblem) -> ControlReply {
        ControlReply(
            status: problem.status,
            contentType: "application/problem+json",
            body: JSON.object(["status": .integer(problem.status), "detail": .string(problem.detail)]).serialized()
        )
    }
}
