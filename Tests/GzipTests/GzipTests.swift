import Gzip
import Testing

struct GzipTests {
    /// `printf 'hello, courier\n' | gzip -n`
    static let hello: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xd7, 0x51, 0x48,
        0xce,
        0x2f, 0x2d, 0xca, 0x4c, 0x2d, 0xe2, 0x02, 0x00, 0x49, 0xdd, 0x3e, 0xf1, 0x0f, 0x00, 0x00, 0x00,
    ]
    static let text = [UInt8]("hello, courier\n".utf8)

    @Test func `a whole stream comes back as it was`() throws {
        #expect(try Gzip.inflate(Self.hello, limit: 1000) == Self.text)
    }

    @Test func `members one after the other are one stream`() throws {
        #expect(try Gzip.inflate(Self.hello + Self.hello, limit: 1000) == Self.text + Self.text)
    }

    @Test func `pieces of any size give the same bytes`() throws {
        for size in 1...Self.hello.count {
            var inflater = try Inflater(limit: 1000)
            var output: [UInt8] = []
            for start in stride(from: 0, to: Self.hello.count, by: size) {
                output += try inflater.inflate(Array(Self.hello[start..<min(start + size, Self.hello.count)]))
            }
            try inflater.finish()
            #expect(output == Self.text)
        }
    }

    @Test func `every prefix is called truncated`() {
        for length in 0..<Self.hello.count {
            #expect(throws: GzipError(.truncated)) {
                try Gzip.inflate(Array(Self.hello.prefix(length)), limit: 1000)
            }
        }
    }

    @Test func `damage to the checksum or the length is noticed`() {
        for index in Self.hello.indices.suffix(8) {
            var damaged = Self.hello
            damaged[index] ^= 0x10
            #expect(throws: GzipError.self) { try Gzip.inflate(damaged, limit: 1000) }
        }
    }

    @Test func `the limit counts inflated bytes`() throws {
        #expect(try Gzip.inflate(Self.hello, limit: Self.text.count) == Self.text)
        #expect(throws: GzipError(.tooLarge)) { try Gzip.inflate(Self.hello, limit: Self.text.count - 1) }
    }

    // D29: compressed bombs are measured after inflating.
    @Test func `a gigabyte of zeros stops soon after the limit`() throws {
        var inflater = try Inflater(limit: 1_000_000)
        #expect(throws: GzipError(.tooLarge)) {
            _ = try inflater.inflate(Self.zeroHeader)
            for _ in 0..<100_000 { _ = try inflater.inflate(Self.zeroBlock) }
        }
    }

    @Test func `gzip is known by its first two bytes`() {
        #expect(Gzip.isGzip(Self.hello))
        #expect(!Gzip.isGzip([0x1f]))
        #expect(!Gzip.isGzip([UInt8]("{}".utf8)))
        #expect(throws: GzipError(.corrupt)) { try Gzip.inflate([UInt8]("not gzip".utf8), limit: 10) }
    }

    /// A member's header, and a stored block of 1,000 zeros that is not the last (RFC 1951, 3.2.4).
    private static let zeroHeader: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
    private static let zeroBlock: [UInt8] = [0, 0xe8, 0x03, 0x17, 0xfc] + [UInt8](repeating: 0, count: 1000)
}
