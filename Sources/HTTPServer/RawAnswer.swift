internal import Runtime

/// Answers that cannot go through the library: it takes none in the middle of an upload.
enum RawAnswer {
    /// The bytes of a whole answer that closes the connection.
    static func bytes(_ fault: HTTPFault, _ response: HTTPResponse) -> [UInt8] {
        let body: [UInt8] =
            switch response.body {
            case .bytes(let bytes): bytes
            case .stream: []
            }
        var head = "HTTP/1.1 \(response.status) \(fault.reason)\r\nDate: \(WallClock.httpDate)\r\n"
        for field in response.headers { head += "\(field.name): \(field.value)\r\n" }
        head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + body
    }
}
