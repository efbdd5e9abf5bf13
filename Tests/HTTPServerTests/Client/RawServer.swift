import Glibc
import Runtime

/// A listener whose connections are treated by a script, one after another, on a thread that may block.
struct RawServer: Sendable {
    let port: Int

    /// Accepts as many connections as there are scripts. A script gets the connected socket, which is closed after it.
    init(_ scripts: [@Sendable (Int32) -> Void]) throws {
        let listener = try Socket.listen(host: "127.0.0.1", port: 0)
        port = Socket.localAddress(of: listener).port
        let number = listener.release()
        _ = fcntl(number, F_SETFL, 0)
        BlockingCall.start {
            for script in scripts {
                let socket = accept(number, nil, nil)
                guard socket >= 0 else { break }
                script(socket)
                close(socket)
            }
            close(number)
        }
    }

    /// Reads until the end of a request's head.
    static func readHead(_ socket: Int32) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !text.contains("\r\n\r\n") {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            text += String(decoding: buffer[0..<count], as: UTF8.self)
        }
        return text
    }

    static func send(_ socket: Int32, _ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
