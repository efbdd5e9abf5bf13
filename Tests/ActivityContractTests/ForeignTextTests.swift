import ActivityContract
import Testing

/// Names as a card takes them.
@Suite struct ForeignTextTests {
    @Test func `what fits stays as it is`() {
        for text in ["", "Luca", String(repeating: "x", count: 60), String(repeating: "\u{5D0}", count: 60)] {
            #expect(ForeignText.short(text) == text)
        }
    }

    // D26
    @Test(arguments: ["x", "\u{5D0}", "\u{1F6B2}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "e\u{301}\u{302}"])
    func `what is long is cut between letters, within letters and bytes`(letter: String) {
        let short = ForeignText.short(String(repeating: letter, count: 200))
        #expect(short.count <= 60)
        #expect(short.utf8.count <= 240)
        #expect(short.last == "\u{2026}")
        #expect(short.dropLast().allSatisfy { String($0) == letter })
        #expect(short.count > 8)
    }

    @Test func `one endless letter is only a cut`() {
        #expect(ForeignText.short("a" + String(repeating: "\u{301}", count: 500)) == "\u{2026}")
    }

    // D26
    @Test func `what would turn or break the line is blank`() {
        #expect(ForeignText.short("a\u{202E}b\u{2069}c\u{2028}d\u{0}e\u{9F}f") == "a b c d e f")
        // Joiners and marks belong to letters.
        #expect(ForeignText.short("\u{200D}\u{200F}\u{301}") == "\u{200D}\u{200F}\u{301}")
    }

    // D26
    @Test func `an isolate is opened and closed`() {
        #expect(ForeignText.isolated("Luca") == "\u{2068}Luca\u{2069}")
    }
}
