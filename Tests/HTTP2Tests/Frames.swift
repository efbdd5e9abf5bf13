/// HTTP/2 frames cut out of a stream of bytes (RFC 9113, section 4.1), for looking at what was really sent.
struct Frame {
    let type: UInt8
    let flags: UInt8
    let stream: Int
    let payload: [UInt8]

    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let settings: UInt8 = 4
    static let priority: UInt8 = 2
    static let endStreamFlag: UInt8 = 0x1
    static let endHeadersFlag: UInt8 = 0x4
    static let priorityFlag: UInt8 = 0x20

    /// The frame as it is sent; for payloads of less than 256 bytes.
    var bytes: [UInt8] { [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, UInt8(stream)] + payload }

    static func all(in bytes: [UInt8], afterPreface: Bool = true) -> [Frame] {
        var rest = bytes.dropFirst(afterPreface ? 24 : 0)
        var frames: [Frame] = []
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
            frames.append(
                Frame(
                    type: head[3],
                    flags: head[4],
                    stream: head[5...].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff,
                    payload: Array(rest.dropFirst(9).prefix(length))
                )
            )
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }
}
