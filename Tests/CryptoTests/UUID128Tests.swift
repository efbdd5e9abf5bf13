import Crypto
import Testing

struct UUID128Tests {
    @Test func `text is written in lower case and read in either`() throws {
        let id = try #require(UUID128("EABEAE54-14A8-11E5-B60B-0800200C9A66"))
        #expect(id.description == "eabeae54-14a8-11e5-b60b-0800200c9a66")
        #expect(id.hi == 0xeabe_ae54_14a8_11e5)
        #expect(id.lo == 0xb60b_0800_200c_9a66)
        #expect(UUID128(bytes: id.bytes) == id)
    }

    @Test(arguments: [
        "", "eabeae54-14a8-11e5-b60b-0800200c9a6", "eabeae54-14a8-11e5-b60b-0800200c9a666",
        "eabeae5414a8-11e5-b60b-0800200c9a66-", "gabeae54-14a8-11e5-b60b-0800200c9a66",
        "{eabeae54-14a8-11e5-b60b-0800200c9a66}",
    ])
    func `anything but 8-4-4-4-12 digits is refused`(text: String) {
        #expect(UUID128(text) == nil)
    }

    @Test func `random ids carry version and variant and differ`() {
        let ids = (0..<1000).map { _ in UUID128.random() }
        #expect(Set(ids).count == 1000)
        #expect(ids.allSatisfy { $0.hi >> 12 & 15 == 4 && $0.lo >> 62 == 2 })
        #expect(ids.allSatisfy { UUID128($0.description) == $0 })
    }

    @Test func `version 7 sorts by time`() {
        var generator = SecureGenerator()
        let ids = (1...100).map { UUID128.version7(milliseconds: 1_790_000_000_000 + $0, using: &generator) }
        #expect(ids == ids.sorted())
        #expect(ids.allSatisfy { $0.hi >> 12 & 15 == 7 && $0.lo >> 62 == 2 })
    }

    @Test func `a digest's front names the message`() {
        #expect(UUID128(sha256Prefix: Array("abc".utf8)).description == "ba7816bf-8f01-cfea-4141-40de5dae2223")
    }
}
