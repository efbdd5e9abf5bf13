import Crypto
import Testing

struct EncodingTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `base 64 gives the vectors of RFC 4648`(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
        let unpadded = String(encoded.prefix { $0 != "=" })
        #expect(Base64URL.encode(Array(plain.utf8)) == unpadded)
        #expect(Base64URL.decode(unpadded) == Array(plain.utf8))
    }

    @Test(arguments: ["Zg", "Zg=", "Zg===", "Zh==", "Zm9v\n", "Zm-_", "=", "====", "Z===", "Zm=v"])
    func `base 64 in any other spelling is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: ["Zg==", "Zh", "Z", "Zm+/", "Zm 9v"])
    func `base 64 for URLs in any other spelling is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `every length comes back`() {
        for count in 0..<100 {
            let bytes = SecureRandom.bytes(count)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: ["a", "abc", "0g", "0x00", " 00"])
    func `text that is not pairs of digits is refused`(text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test func `hexadecimal is read in either case`() {
        #expect(Hex.decode("00fFaB") == [0, 255, 171])
    }
}
