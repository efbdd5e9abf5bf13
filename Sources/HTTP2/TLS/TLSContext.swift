private import COpenSSL

/// Whose certificates a client believes.
package enum TLSTrust: Hashable, Sendable {
    /// What the machine's administrator installed.
    case system
    /// The certificates in a PEM file, and no others.
    case file(String)
}

/// Makes TLS connections; TLS 1.2 or newer, `h2` only. Unchecked: a context is not changed after it was made.
@safe
final class TLSContext: @unchecked Sendable {
    private let context: OpaquePointer

    private init(_ method: OpaquePointer?) {
        guard let context = unsafe SSL_CTX_new(method) else { fatalError("no TLS") }
        unsafe self.context = unsafe context
        unsafe doorstep_require_tls12(context)
    }

    deinit { unsafe SSL_CTX_free(context) }

    // MARK: - Client

    /// A context whose connections verify the server against `trust`.
    static func client(trust: TLSTrust) throws(HTTP2Error) -> TLSContext {
        let made = unsafe TLSContext(TLS_client_method())
        let context = unsafe made.context
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        let offer: [UInt8] = [2] + Array("h2".utf8)
        guard unsafe SSL_CTX_set_alpn_protos(context, offer, UInt32(offer.count)) == 0
        else { throw .openSSL(.badConfiguration, "ALPN") }
        switch trust {
        case .system:
            guard unsafe SSL_CTX_set_default_verify_paths(context) == 1
            else { throw .openSSL(.badConfiguration, "system trust store") }
        case .file(let path):
            guard unsafe SSL_CTX_load_verify_locations(context, path, nil) == 1
            else { throw .openSSL(.badConfiguration, "trusted certificates in \(path)") }
        }
        return made
    }

    /// A connection to `host`, whose certificate must name it; an earlier session saves the server's signature.
    func connect(to host: String, resuming session: TLSSession? = nil) throws(HTTP2Error) -> TLSEngine {
        guard let ssl = unsafe SSL_new(context) else { throw .openSSL(.tlsFailed, "connection") }
        let engine = unsafe TLSEngine(adopting: ssl)
        unsafe SSL_set_connect_state(ssl)
        // An address stands in the certificate as such and is never sent as a server name (RFC 6066, section 3).
        if unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) != 1 {
            ERR_clear_error()
            guard unsafe SSL_set1_host(ssl, host) == 1, unsafe doorstep_set_server_name(ssl, host) == 1
            else { throw .openSSL(.badConfiguration, "host name") }
        }
        if let session { unsafe _ = SSL_set_session(ssl, session.session) }
        return engine
    }

    // MARK: - Server

    /// A context whose connections show the first certificate of `certificatePEM`, the others being its chain.
    static func server(
        certificatePEM: String,
        privateKeyPEM: String,
        asksForCertificate: Bool = false
    ) throws(HTTP2Error) -> TLSContext {
        let made = unsafe TLSContext(TLS_server_method())
        let context = unsafe made.context
        try unsafe useCertificates(certificatePEM, in: context)
        let reader = PEMReader(privateKeyPEM)
        guard let key = unsafe PEM_read_bio_PrivateKey(reader.bio, nil, doorstep_refuse_passphrase, nil)
        else { throw .openSSL(.badConfiguration, "private key") }
        defer { unsafe EVP_PKEY_free(key) }
        guard unsafe SSL_CTX_use_PrivateKey(context, key) == 1, unsafe SSL_CTX_check_private_key(context) == 1
        else { throw .openSSL(.badConfiguration, "private key") }
        let name = Array("doorstep".utf8)
        unsafe SSL_CTX_set_session_id_context(context, name, UInt32(name.count))
        unsafe SSL_CTX_set_alpn_select_cb(context, chooseHTTP2, nil)
        if asksForCertificate {
            unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
            unsafe SSL_CTX_set_cert_verify_callback(context, acceptAnything, nil)
        }
        return made
    }

    /// The server's end of a connection.
    func accept() throws(HTTP2Error) -> TLSEngine {
        guard let ssl = unsafe SSL_new(context) else { throw .openSSL(.tlsFailed, "connection") }
        let engine = unsafe TLSEngine(adopting: ssl)
        unsafe SSL_set_accept_state(ssl)
        return engine
    }

    private static func useCertificates(_ pem: String, in context: OpaquePointer) throws(HTTP2Error) {
        let reader = PEMReader(pem)
        defer { ERR_clear_error() }
        var isFirst = true
        while let certificate = unsafe PEM_read_bio_X509(reader.bio, nil, nil, nil) {
            defer { unsafe X509_free(certificate) }
            let used =
                isFirst
                ? unsafe SSL_CTX_use_certificate(context, certificate)
                : unsafe Int32(doorstep_add_chain_certificate(context, certificate))
            guard used == 1 else { throw .openSSL(.badConfiguration, "certificate") }
            isFirst = false
        }
        guard !isFirst else { throw .openSSL(.badConfiguration, "certificate") }
    }
}

/// Lets every certificate of a client pass: whoever asked for it judges.
private func acceptAnything(_ store: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 { 1 }

/// Agrees on `h2` or ends the handshake with `no_application_protocol` (RFC 7301, section 3.2).
private func chooseHTTP2(
    _ ssl: OpaquePointer?,
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenLength: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?,
    _ offeredLength: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let chosen = unsafe chosen, let chosenLength = unsafe chosenLength else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let protocols = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredLength))
    var position = 0
    while position < protocols.count {
        let length = unsafe Int(protocols[position])
        guard position + 1 + length <= protocols.count else { break }
        let name = unsafe protocols[(position + 1)..<(position + 1 + length)]
        if unsafe name.elementsEqual("h2".utf8) {
            unsafe chosen.pointee = unsafe offered?.advanced(by: position + 1)
            unsafe chosenLength.pointee = UInt8(length)
            return SSL_TLSEXT_ERR_OK
        }
        position += 1 + length
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
