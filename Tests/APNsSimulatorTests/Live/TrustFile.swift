import Glibc

/// The authority's certificate in a file of its own, as senders want it.
struct TrustFile {
    struct CannotWrite: Error {}

    let path: String

    init(_ pem: String) throws {
        var template = Array("/tmp/simulator-trust-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw CannotWrite() }
        defer { close(descriptor) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let bytes = Array(pem.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw CannotWrite() }
    }

    func remove() { unlink(path) }
}
