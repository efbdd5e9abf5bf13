internal import Tracking

/// Members that several of the app's messages carry.
extension FieldReader {
    /// A push token: hexadecimal digits of whole bytes, at most 512 of them, made lower case. Its value never appears in
    /// a fault.
    mutating func token(_ name: String) -> Stated<String> {
        let token = text(name, bytes: 2...1_024)
        guard case .known(let digits) = token else { return token }
        guard digits.utf8.count.isMultiple(of: 2), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            fault(name, .format, "Must be hexadecimal digits of whole bytes.")
            return .absent
        }
        return .known(digits.lowercased())
    }

    /// Counts an installation's messages.
    mutating func sequence() -> Int64? { integer("sequence", in: 0...Int64.max).value }

    mutating func incarnation() -> Int? { integer("incarnation", in: 1...1_000_000).value.map { Int($0) } }
}
