internal import COpenSSL

/// One `EVP_PKEY` on the curve P-256, freed with its last user.
///
/// Unchecked because a key is never changed after it was made, and OpenSSL signs and verifies with a shared key from
/// several threads.
@safe
final class KeyHandle: @unchecked Sendable {
    let key: OpaquePointer

    private init(adopting key: OpaquePointer) throws(CryptoError) {
        unsafe self.key = unsafe key
        guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, groupName == "prime256v1" else {
            throw CryptoError(.wrongKeyKind, "the key must be on the curve P-256")
        }
    }

    deinit { unsafe EVP_PKEY_free(key) }

    static func generate() throws(CryptoError) -> KeyHandle {
        guard let key = unsafe doorstep_generate_p256() else { throw .library("key generation") }
        return try unsafe KeyHandle(adopting: key)
    }

    convenience init(privatePEM pem: String) throws(CryptoError) {
        let memory = MemoryBIO(reading: Array(pem.utf8))
        guard let key = unsafe PEM_read_bio_PrivateKey(memory.bio, nil, doorstep_refuse_passphrase, nil) else {
            ERR_clear_error()
            throw CryptoError(.badPEM, "private key")
        }
        try unsafe self.init(adopting: key)
    }

    convenience init(publicPEM pem: String) throws(CryptoError) {
        let memory = MemoryBIO(reading: Array(pem.utf8))
        guard let key = unsafe PEM_read_bio_PUBKEY(memory.bio, nil, doorstep_refuse_passphrase, nil) else {
            ERR_clear_error()
            throw CryptoError(.badPEM, "public key")
        }
        try unsafe self.init(adopting: key)
    }

    func privatePEM() throws(CryptoError) -> String {
        let memory = MemoryBIO()
        guard unsafe PEM_write_bio_PKCS8PrivateKey(memory.bio, key, nil, nil, 0, nil, nil) == 1
        else { throw .library("private key") }
        return memory.text
    }

    func publicPEM() throws(CryptoError) -> String {
        let memory = MemoryBIO()
        guard unsafe PEM_write_bio_PUBKEY(memory.bio, key) == 1 else { throw .library("public key") }
        return memory.text
    }

    private var groupName: String {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return "" }
        return String(nullTerminated: name)
    }
}
