import Service
import Testing
import Tracking

struct VaultTests {
    @Test func `a sealed token opens for its purpose`() throws {
        let vault = Vault(key: Array(0..<32))
        let purpose = TokenPurpose.update(OrderID("o"), DeviceID("d"))
        #expect(try vault.open(try vault.seal("00ffaa", purpose: purpose), purpose: purpose) == "00ffaa")
    }

    @Test func `a token copied to another place does not open`() throws {
        let vault = Vault(key: Array(0..<32))
        let sealed = try vault.seal("00ffaa", purpose: TokenPurpose.start(DeviceID("d1")))
        #expect(throws: (any Error).self) { try vault.open(sealed, purpose: TokenPurpose.start(DeviceID("d2"))) }
        #expect(throws: (any Error).self) { try Vault(key: Array(1..<33)).open(sealed, purpose: "start\0d1") }
    }

    @Test func `no two seals of one token are equal`() throws {
        let vault = Vault(key: Array(0..<32))
        #expect(try vault.seal("00ffaa", purpose: "p") != vault.seal("00ffaa", purpose: "p"))
    }

    @Test func `purposes of different places differ`() {
        let purposes = [
            TokenPurpose.start(DeviceID("a")), TokenPurpose.update(OrderID("a"), DeviceID("b")),
            TokenPurpose.update(OrderID("b"), DeviceID("a")), TokenPurpose.start(DeviceID("b")),
        ]
        #expect(Set(purposes).count == purposes.count)
    }
}
