internal import COpenSSL

/// One BIO over memory, for reading and writing PEM text.
@safe
struct MemoryBIO: ~Copyable {
    let bio: OpaquePointer

    init() {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { fatalError("out of memory") }
        unsafe self.bio = unsafe bio
    }

    init(reading bytes: [UInt8]) {
        self.init()
        unsafe _ = BIO_write(bio, bytes, Int32(bytes.count))
    }

    deinit { unsafe BIO_free_all(bio) }

    /// Everything that was written.
    var text: String {
        var bytes = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(bio))
        let count = unsafe BIO_read(bio, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }
}
