internal import COpenSSL

/// One `EVP_PKEY`, freed with its last user.
///
/// Unchecked because a key is never changed after it was made, and OpenSSL signs and verifies with a shared key from
/// several threads.
@safe
final class KeyHandle: @unchecked Sendable {
    /// What a key must be to be taken.
    enum Kind {
        /// On the curve P-256.
        case p256
        /// RSA of 2,048 (RFC 7518, section 3.3) to 8,192 bits; more would be slow.
        case rsa
        case ed25519
    }

    let key: OpaquePointer

    private init(adopting key: OpaquePointer, kind: Kind = .p256) throws(CryptoError) {
        unsafe self.key = unsafe key
        guard isOf(kind) else { throw CryptoError(.wrongKeyKind, "the key must be \(kind)") }
    }

    private func isOf(_ kind: Kind) -> Bool {
        let id = unsafe EVP_PKEY_get_base_id(key)
        switch kind {
        case .p256: return id == EVP_PKEY_EC && groupName == "prime256v1"
        case .rsa: return unsafe id == EVP_PKEY_RSA && (2_048...8_192).contains(EVP_PKEY_get_bits(key))
        case .ed25519: return id == EVP_PKEY_ED25519
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

    /// Reads a SubjectPublicKeyInfo (RFC 5280); that a point lies on its curve is checked too.
    convenience init(publicDER der: [UInt8], kind: Kind) throws(CryptoError) {
        let parsed = unsafe der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_PUBKEY(nil, &position, buffer.count)
        }
        guard let key = unsafe parsed else {
            ERR_clear_error()
            throw CryptoError(.wrongKeyKind, "no such public key")
        }
        try unsafe self.init(adopting: key, kind: kind)
    }

    /// Whether a signature, as the library takes it, belongs to the message; `digest` is nil where the scheme has its own.
    func verifies(_ signature: [UInt8], of message: [UInt8], digest: OpaquePointer?) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        guard unsafe EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1 else { return false }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
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
