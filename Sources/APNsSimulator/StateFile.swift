private import Crypto
private import FoundationEssentials
private import Glibc

/// The file that keeps the state: a line with its version and the SHA-256 of the rest, then the state as JSON. It holds
/// push tokens, so that only its owner may read it.
struct StateFile: Sendable {
    private static let version = 2
    private static let mark = "doorstep-apns-sim"

    let path: String

    /// Nil when there is no file yet.
    func read() throws(SimulatorError) -> WorldState? {
        guard let bytes = try contents() else { return nil }
        let (line, rest) = (bytes.prefix { $0 != UInt8(ascii: "\n") }, bytes.drop { $0 != UInt8(ascii: "\n") })
        let json = Array(rest.dropFirst())
        guard line.starts(with: Self.mark.utf8) else { throw unusable("is no state of a simulator") }
        guard line.starts(with: "\(Self.mark) \(Self.version) ".utf8) else {
            throw unusable("was written by another version of Doorstep")
        }
        guard line.elementsEqual(Self.line(json).utf8),
            let state = try? JSONDecoder().decode(WorldState.self, from: Data(json))
        else { throw unusable("is damaged") }
        return state
    }

    /// Writes the whole file in one step: after a crash there is the old state or the new one.
    func write(_ state: WorldState) throws(SimulatorError) {
        let json: [UInt8]
        do { json = Array(try JSONEncoder().encode(state)) } catch {
            throw SimulatorError(.cannotKeepState, "\(path): \(error)")
        }
        let draft = path + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(.cannotKeepState) }
        defer { close(descriptor) }
        let isWritten = Self.write(Array("\(Self.line(json))\n".utf8) + json, to: descriptor) && fsync(descriptor) == 0
        guard isWritten, rename(draft, path) == 0 else { throw failure(.cannotKeepState) }
    }

    private static func line(_ json: [UInt8]) -> String { "\(mark) \(version) \(Hex.encode(SHA256.digest(json)))" }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func contents() throws(SimulatorError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(.badState)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            guard count >= 0 else { throw failure(.badState) }
            if count == 0 { return bytes }
            bytes += piece.prefix(count)
        }
    }

    private func unusable(_ what: String) -> SimulatorError {
        SimulatorError(.badState, "\(path) \(what): move it away to begin with no phones, or name another file")
    }

    private func failure(_ code: SimulatorError.Code) -> SimulatorError {
        SimulatorError(code, "\(path): \(String(cString: strerror(errno)))")
    }
}
