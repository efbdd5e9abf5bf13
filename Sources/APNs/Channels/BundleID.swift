/// The name of an app as it stands in the paths of channels.
enum BundleID {
    private static let topicSuffix = ".push-type."

    /// Why it cannot be one: APNs refuses the topic of pushes to devices there (sender rule 50), and what is no name
    /// would change the path.
    static func problem(_ text: String) -> String? {
        if text.contains(topicSuffix) { return "the bundle id has a topic's suffix" }
        let isName = !text.isEmpty && text.utf8.allSatisfy(isNameByte)
        return isName ? nil : "the bundle id is not letters, digits, dots and hyphens"
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
