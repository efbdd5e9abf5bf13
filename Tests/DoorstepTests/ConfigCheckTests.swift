import Testing

struct ConfigCheckTests {
    /// An app whose key lies in `FILE`, with further members of the file before it.
    private func configuration(_ members: String, key: String = "a.p8") -> String {
        """
        {\(members)"masterKey": "master", "apps": [{"id": "a", "bundleId": "b", "teamId": "t", "keys": \
        [{"id": "k", "file": "\(key)"}]}]}
        """
    }

    private func check(_ command: String, _ text: String, master: String) throws -> [String] {
        let files = "echo '\(text)' > doorstep.json; \(master.isEmpty ? "" : "echo '\(master)' > master")"
        return try Shell.lines("\(files)\ndoorstep \(command); echo $?")
    }

    @Test func `files and members that are wrong are told together`() throws {
        let lines = try check("config check", configuration(#""colour": "red", "#), master: "abc")
        for part in ["/colour means nothing here", "a.p8: No such file", "master must hold 64 hexadecimal digits"] {
            #expect(lines.contains { $0.contains(part) }, "\(part)")
        }
        #expect(lines.count == 5)
        #expect(lines.last == "2")
    }

    @Test(arguments: [
        "", "abc", String(repeating: "0", count: 63), String(repeating: "0", count: 66),
        String(repeating: "g", count: 64),
    ])
    func `a master key that serve would refuse is a mistake`(_ master: String) throws {
        let text = #"{"masterKey": "master"}"#
        let lines = try check("config check", text, master: master)
        #expect(lines.count == 3)
        #expect(lines.first?.contains("/master") == true)
        #expect(try check("config check", text, master: String(repeating: "aF", count: 32)).last == "0")
    }

    @Test(arguments: ["serve", "apns-sim"])
    func `a broken file is not also told as a missing one`(_ command: String) throws {
        for text in ["{", "[]", #"{"colour": 1}"#] {
            let lines = try check(command, text, master: "")
            #expect(lines.count == 3, "\(lines)")
        }
        #expect(try check(command, "{}", master: "").first?.contains("no apps") == true)
        #expect(try Shell.lines("doorstep \(command)").first?.contains("no apps") == true)
    }
}
