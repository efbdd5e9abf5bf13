internal import JSONText

/// The type of one of the app's properties, as far as a decoder cares.
struct SwiftType: Hashable {
    enum Kind: Hashable {
        case string
        case integer
        case double
        case bool
        case date
    }

    let kind: Kind
    let isOptional: Bool
    /// As the contract spells it.
    let spelling: String

    /// Reads `Int`, `Date?` and the like; nil for types that a contract cannot fill.
    init?(_ spelling: String) {
        self.spelling = spelling
        isOptional = spelling.hasSuffix("?")
        switch isOptional ? String(spelling.dropLast()) : spelling {
        case "String": kind = .string
        case "Int", "Int64": kind = .integer
        case "Double", "TimeInterval": kind = .double
        case "Bool": kind = .bool
        case "Date": kind = .date
        default: return nil
        }
    }

    static let spellings = "String, Int, Int64, Double, TimeInterval, Bool or Date, with ? where optional"

    /// Whether a default `JSONDecoder` reads the value into this type.
    func decodes(_ value: JSON) -> Bool {
        switch kind {
        case .string: value.stringValue != nil
        case .integer: value.int64Value != nil
        case .double, .date: value.doubleValue != nil
        case .bool: value.boolValue != nil
        }
    }
}

/// How a field may be written: the words of `as`.
enum FormName: String, CaseIterable {
    case text
    case number
    case flag
    case unixSeconds
    case swiftDate
    case minutes
    case fraction
    case step

    static let spellings = allCases.map(\.rawValue).joined(separator: ", ")

    /// The types that take what this form writes; enums and their values are judged word by word.
    func fits(_ kind: SwiftType.Kind) -> Bool {
        switch self {
        case .text: kind == .string
        case .number, .step, .unixSeconds, .minutes: kind == .integer || kind == .double
        case .flag: kind == .bool
        case .swiftDate: kind == .date || kind == .double
        case .fraction: kind == .double
        }
    }
}
