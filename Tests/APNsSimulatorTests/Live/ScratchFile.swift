import Glibc

/// A file in /tmp for other programs to read or to write.
struct ScratchFile {
    struct CannotUse: Error {}

    let path: String

    init(_ text: String = "") throws {
        var template = Array("/tmp/simulator-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw CannotUse() }
        defer { close(descriptor) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw CannotUse() }
    }

    func text() throws -> String {
        guard let file = fopen(path, "r") else { throw CannotUse() }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    func remove() { unlink(path) }
}
