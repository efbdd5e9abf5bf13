private import JSONText

extension APNsRequest {
    package static let maxPayloadBytes = 4096
    package static let maxBroadcastBytes = 5120
    package static let maxCollapseIDBytes = 64

    /// Why APNs would certainly refuse the push, checked before it costs standing with APNs (sender rules 18 to 21, 50).
    package var problem: String? {
        if payload.isEmpty { return "the payload is empty" }
        if expiration < 0 { return "the expiration is negative" }
        guard isUUID(apnsID) else { return "the id is no UUID in lower case" }
        switch destination {
        case .device(let token): return problem(toDevice: token)
        case .channel(let id, let bundleID): return problem(toChannel: id, of: bundleID)
        }
    }

    private func problem(toDevice token: String) -> String? {
        guard !token.isEmpty, token.utf8.count.isMultiple(of: 2), isHexadecimal(token) else {
            return "the token is not an even number of hexadecimal digits"
        }
        if payload.count > Self.maxPayloadBytes { return "the payload has \(payload.count) bytes of at most 4096" }
        if topic.isEmpty { return "the topic is empty" }
        if let collapseID, collapseID.isEmpty || collapseID.utf8.count > Self.maxCollapseIDBytes {
            return "the collapse id is empty or longer than 64 bytes"
        }
        return nil
    }

    private func problem(toChannel id: String, of bundleID: String) -> String? {
        if id.isEmpty { return "the channel id is empty" }
        if let problem = BundleID.problem(bundleID) { return problem }
        if payload.count > Self.maxBroadcastBytes { return "the payload has \(payload.count) bytes of at most 5120" }
        if pushType != .liveActivity { return "only Live Activities have channels" }
        if collapseID != nil { return "a push to a channel has no collapse id" }
        // Phones join a channel by the push that starts their activity; the channel itself cannot start one.
        if (try? JSON.parse(payload))?["aps"]?["event"]?.stringValue == "start" { return "a channel starts nothing" }
        return nil
    }
}

/// 8-4-4-4-12 digits.
private func isUUID(_ text: String) -> Bool {
    let bytes = text.utf8.span
    guard bytes.count == 36 else { return false }
    for index in bytes.indices {
        let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
        guard isHyphen ? bytes[index] == UInt8(ascii: "-") : isLowerHexDigit(bytes[index]) else { return false }
    }
    return true
}

/// Over the bytes as they lie in memory, because every push is checked.
private func isHexadecimal(_ text: String) -> Bool {
    let bytes = text.utf8.span
    for index in bytes.indices where !isHexDigit(bytes[index]) { return false }
    return true
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    isLowerHexDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
}

private func isLowerHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
}
