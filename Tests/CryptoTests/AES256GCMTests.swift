import Crypto
import Testing

struct AES256GCMTests {
    private let key = SecureRandom.bytes(32)

    @Test func `what was sealed opens again`() throws {
        for count in [0, 1, 15, 16, 17, 1000] {
            let text = SecureRandom.bytes(count)
            let sealed = try AES256GCM.seal(key: key, plaintext: text, associated: [1, 2, 3])
            #expect(sealed.count == count + 28)
            #expect(try AES256GCM.open(key: key, sealed: sealed, associated: [1, 2, 3]) == text)
        }
    }

    @Test func `a change in any byte is noticed`() throws {
        let sealed = try AES256GCM.seal(key: key, plaintext: Array("courier".utf8))
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 0x80
            #expect(throws: CryptoError.self) { try AES256GCM.open(key: key, sealed: changed) }
        }
    }

    @Test func `other associated data or another key does not open`() throws {
        let sealed = try AES256GCM.seal(key: key, plaintext: [1, 2, 3], associated: [4])
        #expect(throws: CryptoError.self) { try AES256GCM.open(key: key, sealed: sealed, associated: [5]) }
        #expect(throws: CryptoError.self) {
            try AES256GCM.open(key: SecureRandom.bytes(32), sealed: sealed, associated: [4])
        }
        #expect(throws: CryptoError.self) { try AES256GCM.open(key: key, sealed: Array(sealed.prefix(27))) }
        #expect(throws: CryptoError.self) { try AES256GCM.seal(key: [1, 2, 3], plaintext: []) }
    }

    @Test func `the same text is never sealed alike`() throws {
        let one = try AES256GCM.seal(key: key, plaintext: [7])
        let two = try AES256GCM.seal(key: key, plaintext: [7])
        #expect(one != two)
    }
}
