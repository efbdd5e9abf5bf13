import Crypto
import Testing

/// Whether the certificates hold in a TLS handshake is tested where TLS lives, in HTTP2Tests.
struct CertificateAuthorityTests {
    @Test func `each certificate has its own key`() throws {
        let authority = try CertificateAuthority.generate()
        let one = try authority.issue()
        let two = try authority.issue()
        #expect(one.privateKeyPEM != two.privateKeyPEM)
        #expect(one.certificatePEM != two.certificatePEM)
        #expect(authority.certificatePEM.hasPrefix("-----BEGIN CERTIFICATE-----"))
        _ = try ES256PrivateKey(pem: one.privateKeyPEM)
    }

    @Test func `a name that cannot stand in a certificate is refused`() throws {
        let authority = try CertificateAuthority.generate()
        #expect(throws: CryptoError.self) { try authority.issue(names: [], addresses: ["not an address"]) }
    }
}
