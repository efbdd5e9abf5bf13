private import COpenSSL

/// AES-256 in Galois/Counter mode (NIST SP 800-38D): keeps a message secret and notices any change.
package enum AES256GCM {
    private static let nonceLength = 12
    private static let tagLength = 16

    /// Returns nonce, ciphertext and tag in one piece.
    ///
    /// The nonce is random: one key must not seal more than 2^32 messages.
    package static func seal(
        key: [UInt8],
        plaintext: [UInt8],
        associated: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        let nonce = SecureRandom.bytes(nonceLength)
        let cipher = try Cipher.start(key: key, nonce: nonce, encrypts: true)
        try cipher.authenticate(associated)
        let text = try cipher.process(plaintext)
        return nonce + text + (try cipher.finishSealing(tagLength: tagLength))
    }

    /// Undoes `seal`; `notAuthentic` when a bit, the key or the associated data differs.
    package static func open(
        key: [UInt8],
        sealed: [UInt8],
        associated: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        guard sealed.count >= nonceLength + tagLength else { throw CryptoError(.badLength, "sealed message") }
        let cipher = try Cipher.start(key: key, nonce: Array(sealed.prefix(nonceLength)), encrypts: false)
        try cipher.authenticate(associated)
        let text = try cipher.process(Array(sealed.dropFirst(nonceLength).dropLast(tagLength)))
        try cipher.finishOpening(tag: Array(sealed.suffix(tagLength)))
        return text
    }
}

/// One run of the cipher.
@safe
private struct Cipher: ~Copyable {
    private let context: OpaquePointer

    private init() {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { fatalError("out of memory") }
        unsafe self.context = unsafe context
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    static func start(key: [UInt8], nonce: [UInt8], encrypts: Bool) throws(CryptoError) -> Cipher {
        guard key.count == 32 else { throw CryptoError(.badLength, "an AES-256 key has 32 bytes") }
        let cipher = Cipher()
        guard unsafe EVP_CipherInit_ex(cipher.context, EVP_aes_256_gcm(), nil, key, nonce, encrypts ? 1 : 0) == 1
        else { throw .library("cipher") }
        return cipher
    }

    func authenticate(_ associated: [UInt8]) throws(CryptoError) {
        var written: Int32 = 0
        guard unsafe EVP_CipherUpdate(context, nil, &written, associated, Int32(associated.count)) == 1
        else { throw .library("associated data") }
    }

    func process(_ input: [UInt8]) throws(CryptoError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: input.count)
        var written: Int32 = 0
        guard unsafe EVP_CipherUpdate(context, &output, &written, input, Int32(input.count)) == 1
        else { throw .library("cipher") }
        return output
    }

    func finishSealing(tagLength: Int) throws(CryptoError) -> [UInt8] {
        var written: Int32 = 0
        var nothing: UInt8 = 0
        var tag = [UInt8](repeating: 0, count: tagLength)
        guard unsafe EVP_CipherFinal_ex(context, &nothing, &written) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &tag) == 1
        else { throw .library("tag") }
        return tag
    }

    func finishOpening(tag: [UInt8]) throws(CryptoError) {
        var tag = tag
        var written: Int32 = 0
        var nothing: UInt8 = 0
        guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
        else { throw .library("tag") }
        guard unsafe EVP_CipherFinal_ex(context, &nothing, &written) == 1
        else { throw CryptoError(.notAuthentic, "sealed message") }
    }
}
