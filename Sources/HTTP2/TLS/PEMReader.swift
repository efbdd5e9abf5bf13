internal import COpenSSL

/// PEM text for OpenSSL to read from. The BIO holds a copy: it would not keep a string's own bytes alive.
@safe
struct PEMReader: ~Copyable {
    let bio: OpaquePointer

    init(_ pem: String) {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { fatalError("out of memory") }
        unsafe self.bio = unsafe bio
        let text = Array(pem.utf8)
        unsafe _ = BIO_write(bio, text, Int32(text.count))
    }

    deinit { unsafe BIO_free_all(bio) }
}
