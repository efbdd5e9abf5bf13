extension String {
    /// Safe to show as one line: what a terminal would obey, or what would break the line or turn it around, is shown as
    /// an escape. Ids, names and notes come from others; raw, they could hide or forge what is shown.
    ///
    /// Escapes are JSON's, so that JSON stays the same JSON.
    var printable: String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isUnprintable { text += scalar.escape } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Control characters (C0, DEL, C1), separators of lines, and the controls of text direction (Unicode UAX 9).
    fileprivate var isUnprintable: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    fileprivate var escape: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
