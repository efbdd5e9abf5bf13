private import COpenSSL

/// A certificate and its private key as PEM text, for a TLS server.
package struct TLSIdentity: Sendable {
    package let certificatePEM: String
    /// A secret.
    package let privateKeyPEM: String

    package init(certificatePEM: String, privateKeyPEM: String) {
        self.certificatePEM = certificatePEM
        self.privateKeyPEM = privateKeyPEM
    }
}

/// A P-256 authority of one's own, for servers that only this machine talks to.
package struct CertificateAuthority: Sendable {
    /// The authority's certificate: the file that clients trust.
    package let certificatePEM: String
    private let name: String
    private let key: ES256PrivateKey

    /// Makes a new authority, valid from yesterday for ten years.
    package static func generate(name: String = "Doorstep local authority") throws(CryptoError) -> CertificateAuthority
    {
        let key = try ES256PrivateKey.generate()
        let certificate = try X509Builder.start(subject: name, issuer: name, key: key, days: 3650)
        try certificate.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        try certificate.add(NID_key_usage, "critical,keyCertSign,cRLSign")
        try certificate.add(NID_subject_key_identifier, "hash")
        return CertificateAuthority(certificatePEM: try certificate.sign(with: key), name: name, key: key)
    }

    /// Issues a server certificate for DNS names and IP addresses, valid from yesterday for `days`.
    package func issue(
        names: [String] = ["localhost"],
        addresses: [String] = ["127.0.0.1", "::1"],
        days: Int = 800
    ) throws(CryptoError) -> TLSIdentity {
        let key = try ES256PrivateKey.generate()
        let subject = names.first ?? addresses.first ?? "server"
        let certificate = try X509Builder.start(subject: subject, issuer: name, key: key, days: days)
        let alternatives = names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }
        try certificate.add(NID_basic_constraints, "critical,CA:FALSE")
        try certificate.add(NID_key_usage, "critical,digitalSignature")
        try certificate.add(NID_ext_key_usage, "serverAuth")
        try certificate.add(NID_subject_alt_name, alternatives.joined(separator: ","))
        return TLSIdentity(certificatePEM: try certificate.sign(with: self.key), privateKeyPEM: try key.pem())
    }
}

/// One certificate while it is being made.
@safe
private struct X509Builder: ~Copyable {
    private let certificate: OpaquePointer

    private init() {
        guard let certificate = unsafe X509_new() else { fatalError("out of memory") }
        unsafe self.certificate = unsafe certificate
    }

    deinit { unsafe X509_free(certificate) }

    static func start(
        subject: String,
        issuer: String,
        key: ES256PrivateKey,
        days: Int
    ) throws(CryptoError) -> X509Builder {
        let builder = X509Builder()
        let certificate = unsafe builder.certificate
        let serial = unsafe BN_bin2bn([0x40] + SecureRandom.bytes(15), 16, nil)
        defer { unsafe BN_free(serial) }
        let day = 24 * 60 * 60
        guard unsafe X509_set_version(certificate, 2) == 1,
            unsafe BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(certificate)) != nil,
            unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), -day) != nil,
            unsafe X509_gmtime_adj(X509_getm_notAfter(certificate), days * day) != nil,
            unsafe X509_set_pubkey(certificate, key.handle.key) == 1,
            unsafe setCommonName(subject, of: X509_get_subject_name(certificate)),
            unsafe setCommonName(issuer, of: X509_get_issuer_name(certificate))
        else { throw .library("certificate") }
        return builder
    }

    func add(_ extensionID: Int32, _ value: String) throws(CryptoError) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, certificate, certificate, nil, nil, 0)
        guard let made = unsafe X509V3_EXT_conf_nid(nil, &context, extensionID, value)
        else { throw .library("certificate extension") }
        defer { unsafe X509_EXTENSION_free(made) }
        guard unsafe X509_add_ext(certificate, made, -1) == 1 else { throw .library("certificate extension") }
    }

    func sign(with key: ES256PrivateKey) throws(CryptoError) -> String {
        let memory = MemoryBIO()
        guard unsafe X509_sign(certificate, key.handle.key, EVP_sha256()) > 0,
            unsafe PEM_write_bio_X509(memory.bio, certificate) == 1
        else { throw .library("certificate") }
        return memory.text
    }
}

private func setCommonName(_ name: String, of subject: OpaquePointer?) -> Bool {
    let text = Array(name.utf8)
    return unsafe X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, text, Int32(text.count), -1, 0) == 1
}
