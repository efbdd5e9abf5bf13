/// W3C Trace Context, header `traceparent`: which trace a request belongs to. What breaks its grammar is passed over.
struct TraceParent: Hashable, Sendable {
    /// 32 hexadecimal digits.
    let traceID: String
    /// As it stands.
    let text: String

    /// Versions to come may have more members after the four that all have (section 4.3).
    init?(_ text: String?) {
        guard let text, text.utf8.count <= 255 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.isLowercaseHex(count: $1) }),
            parts[0] != "ff", parts[0] != "00" || parts.count == 4, parts[1].contains(where: { $0 != "0" }),
            parts[2].contains(where: { $0 != "0" })
        else { return nil }
        traceID = String(parts[1])
        self.text = text
    }
}

extension Substring {
    fileprivate func isLowercaseHex(count: Int) -> Bool {
        utf8.count == count
            && utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
