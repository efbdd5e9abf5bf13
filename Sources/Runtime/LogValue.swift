/// A field of a log line, written as its JSON kind.
package enum LogValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)

    /// A duration in seconds.
    package static func seconds(_ duration: Duration) -> LogValue { .number(duration.inSeconds) }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }

    package init(_ value: some BinaryInteger) { self = .integer(Int64(clamping: value)) }
    package init(_ value: some StringProtocol) { self = .string(String(value)) }
}

/// Builds the text of one JSON object, member by member.
struct LogLine {
    private var members: [String] = []

    var text: String { "{" + members.joined(separator: ",") + "}" }

    mutating func add(_ name: String, _ value: LogValue) {
        members.append("\(quoted(name)):\(json(value))")
    }

    private func json(_ value: LogValue) -> String {
        switch value {
        case .string(let text): quoted(text)
        case .integer(let integer): String(integer)
        case .number(let number): number.isFinite ? String(number) : "null"
        case .boolean(let flag): flag ? "true" : "false"
        }
    }

    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
