import Crypto
import Testing

struct ES256Tests {
    /// Made once for these tests; guards nothing.
    private static let secp384 = """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEUF4kJS3gtAWg6bwbi0yIbIdJn1uOkv0P
        MafgsZXtNC0YrRCtRayDsq0YP7C4hXhAZadz6Dm8b79dnMHsi5rP87Dnz5UDvYet
        6iDjwp/TkayTBB9T7hD5kpjd2WRP4od7
        -----END PUBLIC KEY-----
        """

    @Test func `every signature has 64 bytes and verifies`() throws {
        let key = try ES256PrivateKey.generate()
        // 500 signatures: r or s starts with a zero byte in about 8 of them.
        for number in 0..<500 {
            let message = Array("message \(number)".utf8)
            let signature = try key.sign(message)
            #expect(signature.count == 64)
            #expect(key.publicKey.isValid(signature, for: message))
        }
    }

    @Test func `another message, key or signature does not verify`() throws {
        let key = try ES256PrivateKey.generate()
        let message = Array("message".utf8)
        var signature = try key.sign(message)
        #expect(!key.publicKey.isValid(signature, for: Array("massage".utf8)))
        #expect(try !ES256PrivateKey.generate().publicKey.isValid(signature, for: message))
        #expect(!key.publicKey.isValid(Array(signature.dropLast()), for: message))
        signature[40] ^= 1
        #expect(!key.publicKey.isValid(signature, for: message))
        #expect(!key.publicKey.isValid(der: signature, for: message))
        #expect(!key.publicKey.isValid(der: [], for: message))
    }

    @Test func `keys survive PEM`() throws {
        let key = try ES256PrivateKey.generate()
        let read = try ES256PrivateKey(pem: key.pem())
        let publicKey = try ES256PublicKey(pem: key.publicKey.pem())
        let message = Array("message".utf8)
        #expect(publicKey.isValid(try read.sign(message), for: message))
    }

    @Test(arguments: ["", "hello", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func `text that holds no key is refused`(text: String) {
        #expect(performing: { try ES256PrivateKey(pem: text) }, throws: { ($0 as? CryptoError)?.code == .badPEM })
        #expect(performing: { try ES256PublicKey(pem: text) }, throws: { ($0 as? CryptoError)?.code == .badPEM })
    }

    @Test func `a key on another curve is refused`() {
        #expect(
            performing: { try ES256PublicKey(pem: Self.secp384) },
            throws: { ($0 as? CryptoError)?.code == .wrongKeyKind }
        )
    }
}
