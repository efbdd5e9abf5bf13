import Testing

@testable import doorstep

struct EnvironmentFileTests {
    @Test func `any value survives writing and reading`() {
        var file = EnvironmentFile()
        file["A"] = "plain"
        file["B"] = "it's $HOME `x` \"y\" \\ =z"
        file["C"] = ""
        let read = EnvironmentFile(reading: file.text)
        #expect(read["A"] == file["A"])
        #expect(read["B"] == file["B"])
        #expect(read["C"] == "")
        #expect(read.text == file.text)
    }

    @Test func `each line is KEY='value'`() {
        var file = EnvironmentFile()
        file["DOORSTEP_URL"] = "http://127.0.0.1:8080"
        file["X"] = "a'b"
        #expect(file.text == "DOORSTEP_URL='http://127.0.0.1:8080'\nX='a'\\''b'\n")
    }

    @Test func `lines of another form are passed over`() {
        #expect(EnvironmentFile(reading: "# note\nA=1\nB='2'\n").lines.map(\.name) == ["B"])
    }
}
