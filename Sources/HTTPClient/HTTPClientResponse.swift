/// An answer: its head, and the whole body.
package struct HTTPClientResponse: Sendable {
    package var head: Head
    package var body: [UInt8]

    package var status: Int { head.status }
    package var headers: [(name: String, value: String)] { head.headers }

    /// The first header of this name, whatever its case.
    package func header(_ name: String) -> String? { head.header(name) }
    /// The body as text; invalid UTF-8 is replaced.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// Status and headers.
    package struct Head: Sendable {
        package var status: Int
        package var headers: [(name: String, value: String)]
        /// Whether the empty line after the headers has come.
        var isComplete = false

        package func header(_ name: String) -> String? {
            let wanted = name.lowercased()
            return headers.first { $0.name.lowercased() == wanted }?.value
        }
    }
}

extension HTTPClientResponse.Head {
    /// Reads one line of a head as it came, line end included. A status line begins anew: an answer of 1xx may stand
    /// before the real one.
    mutating func read(line bytes: UnsafeRawBufferPointer) {
        let line = unsafe String(decoding: bytes, as: UTF8.self).trimmingLineEnd()
        if line.hasPrefix("HTTP/") {
            let words = line.split(separator: " ", maxSplits: 2)
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            headers = []
            isComplete = false
        } else if line.isEmpty {
            isComplete = true
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append((name: String(line[..<colon]), value: String(value)))
        }
    }
}

extension String {
    fileprivate func trimmingLineEnd() -> Substring {
        var text = self[...]
        while let last = text.unicodeScalars.last, last == "\r" || last == "\n" || last == " " {
            text.unicodeScalars.removeLast()
        }
        return text
    }
}
