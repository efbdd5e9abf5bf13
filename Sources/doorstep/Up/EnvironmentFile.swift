/// `doorstep.env`: lines of `KEY='value'`, to be read with `set -a; . FILE`.
struct EnvironmentFile {
    private(set) var lines: [(name: String, value: String)] = []

    subscript(name: String) -> String? {
        get { lines.first { $0.name == name }?.value }
        set {
            lines.removeAll { $0.name == name }
            if let newValue { lines.append((name, newValue)) }
        }
    }

    init() {}

    /// What an earlier run wrote; lines of another form are passed over.
    init(reading text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[1].count >= 2, parts[1].hasPrefix("'"), parts[1].hasSuffix("'") else {
                continue
            }
            self[String(parts[0])] = String(parts[1].dropFirst().dropLast()).replacing("'\\''", with: "'")
        }
    }

    var text: String {
        lines.map { "\($0.name)='\($0.value.replacing("'", with: "'\\''"))'\n" }.joined()
    }

    /// Secrets lie in it: only its owner may read it.
    func write(to path: String) throws(FileError) { try Files.write(text, to: path, mode: 0o600) }
}
