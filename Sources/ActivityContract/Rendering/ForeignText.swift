/// Text that others chose, made fit for a card: names of restaurants and couriers, numbers of orders.
package enum ForeignText {
    /// Longest name on a card, in letters as people count them, and in bytes.
    private static let letters = 60
    private static let bytes = 240

    /// Without control characters and breaks, and cut between letters where it is too long.
    package static func short(_ text: String) -> String { cut(printable(text), letters: letters, bytes: bytes) }

    /// Cuts between letters; a cut is shown by an ellipsis, which counts.
    package static func cut(_ text: String, letters: Int, bytes: Int = .max) -> String {
        var kept = ""
        var size = 0
        for (count, letter) in text.enumerated() {
            size += letter.utf8.count
            guard count < letters, size <= bytes else { return shortened(kept, bytes: bytes) }
            kept.append(letter)
        }
        return kept
    }

    private static func shortened(_ text: String, bytes: Int) -> String {
        let ellipsis = "\u{2026}"
        var kept = text.dropLast()
        while kept.utf8.count > bytes - ellipsis.utf8.count { kept = kept.dropLast() }
        return kept + ellipsis
    }

    /// Set apart from the text around it, so that a right-to-left name does not turn the sentence (Unicode UAX 9, FSI).
    package static func isolated(_ text: String) -> String { "\u{2068}\(text)\u{2069}" }

    private static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.contains(where: isUnfit) else { return text }
        return String(String.UnicodeScalarView(scalars.map { isUnfit($0) ? " " : $0 }))
    }

    /// Control characters, line breaks, and what would turn the text around: an isolate that a name closes is none.
    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2028...0x202E, 0x2066...0x2069: true
        default: scalar.properties.generalCategory == .control
        }
    }
}
