import Crypto
import Testing

struct DigestTests {
    @Test func `SHA-256 gives the digests of FIPS 180-4`() {
        #expect(
            Hex.encode(SHA256.digest([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
        #expect(
            Hex.encode(SHA256.digest(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }

    @Test func `a message in parts has the digest of the whole`() {
        let message = SecureRandom.bytes(1000)
        var hasher = SHA256.Hasher()
        for start in stride(from: 0, to: message.count, by: 37) {
            hasher.update(Array(message[start..<min(start + 37, message.count)]))
        }
        #expect(hasher.finalize() == SHA256.digest(message))
    }

    @Test func `HMAC gives case 2 of RFC 4231`() {
        let code = hmacSHA256(key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8))
        #expect(Hex.encode(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let longer = hmacSHA512(key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8))
        #expect(
            Hex.encode(longer) == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        )
    }

    @Test func `comparison in constant time still compares`() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(constantTimeEqual([], []))
    }
}
