private import COpenSSL

/// One TLS connection without a socket: ciphertext in and out through memory, plaintext in and out.
@safe
final class TLSEngine {
    enum Handshake {
        case underWay
        case done
    }

    private let ssl: OpaquePointer
    private let inbound: OpaquePointer
    private let outbound: OpaquePointer

    /// Adopts a connection that a context made; gives it two memory BIOs, which it then owns.
    init(adopting ssl: OpaquePointer) {
        guard let inbound = unsafe BIO_new(BIO_s_mem()), let outbound = unsafe BIO_new(BIO_s_mem())
        else { fatalError("out of memory") }
        unsafe self.ssl = unsafe ssl
        unsafe self.inbound = unsafe inbound
        unsafe self.outbound = unsafe outbound
        unsafe SSL_set_bio(ssl, inbound, outbound)
    }

    deinit { unsafe SSL_free(ssl) }

    // MARK: - Ciphertext

    /// Takes in the first `count` bytes, which came from the socket.
    func receive(_ bytes: [UInt8], count: Int) {
        unsafe _ = BIO_write(inbound, bytes, Int32(clamping: count))
    }

    /// Moves what is to go to the socket into `buffer` behind its first `offset` bytes; returns how many bytes.
    func takeOutput(into buffer: inout [UInt8], at offset: Int) -> Int {
        guard offset < buffer.count, pendingOutput > 0 else { return 0 }
        let space = buffer.count - offset
        return unsafe buffer.withUnsafeMutableBufferPointer { bytes in
            unsafe max(0, Int(BIO_read(outbound, bytes.baseAddress?.advanced(by: offset), Int32(clamping: space))))
        }
    }

    /// How many bytes wait to go to the socket.
    var pendingOutput: Int { unsafe BIO_ctrl_pending(outbound) }

    // MARK: - Plaintext

    /// Goes on with the handshake as far as the received bytes allow.
    func shakeHands() throws(HTTP2Error) -> Handshake {
        let result = unsafe SSL_do_handshake(ssl)
        if result == 1 { return .done }
        guard unsafe SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ else { throw failure("handshake") }
        return .underWay
    }

    /// Whether both sides agreed on `h2` (RFC 7301).
    var hasChosenHTTP2: Bool { chosenProtocol == Array("h2".utf8) }

    /// Whether both sides agreed on anything.
    var hasChosenProtocol: Bool { !chosenProtocol.isEmpty }

    private var chosenProtocol: [UInt8] {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &length)
        return unsafe Array(UnsafeBufferPointer(start: name, count: Int(length)))
    }

    /// Decrypts into `buffer`; 0 when nothing more can be read now, nil when the peer has said goodbye.
    func read(into buffer: inout [UInt8]) throws(HTTP2Error) -> Int? {
        let count = unsafe SSL_read(ssl, &buffer, Int32(clamping: buffer.count))
        if count > 0 { return Int(count) }
        switch unsafe SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ: return 0
        case SSL_ERROR_ZERO_RETURN: return nil
        default: throw failure("read")
        }
    }

    /// Encrypts all of `bytes`.
    func write(_ bytes: [UInt8]) throws(HTTP2Error) {
        guard !bytes.isEmpty else { return }
        let count = unsafe SSL_write(ssl, bytes, Int32(clamping: bytes.count))
        guard count == bytes.count else { throw failure("write") }
    }

    /// Says goodbye; the bytes still have to be sent.
    func close() {
        unsafe _ = SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// The session for resuming later connections to the same server, once it sent a ticket.
    var resumableSession: TLSSession? {
        guard let session = unsafe SSL_get1_session(ssl) else { return nil }
        let adopted = unsafe TLSSession(adopting: session)
        return adopted.isResumable ? adopted : nil
    }

    /// Whether the peer showed a certificate, in this connection or in the one it resumed.
    var peerHasCertificate: Bool { unsafe SSL_get0_peer_certificate(ssl) != nil }

    /// Whether this connection resumed an earlier session.
    var hasResumed: Bool { unsafe SSL_session_reused(ssl) == 1 }

    private func failure(_ step: String) -> HTTP2Error {
        let verdict = unsafe SSL_get_verify_result(ssl)
        guard verdict == X509_V_OK else {
            ERR_clear_error()
            return HTTP2Error(.tlsFailed, unsafe String(cString: X509_verify_cert_error_string(verdict)))
        }
        return .openSSL(.tlsFailed, step)
    }
}

/// A session ticket, freed with its last user. Unchecked: OpenSSL counts its references atomically.
@safe
final class TLSSession: @unchecked Sendable {
    let session: OpaquePointer

    init(adopting session: OpaquePointer) { unsafe self.session = unsafe session }

    deinit { unsafe SSL_SESSION_free(session) }

    var isResumable: Bool { unsafe SSL_SESSION_is_resumable(session) == 1 }
}

extension HTTP2Error {
    /// The first entry of OpenSSL's error queue, which is emptied so that no later call reads it.
    static func openSSL(_ code: Code, _ step: String) -> HTTP2Error {
        let number = ERR_get_error()
        ERR_clear_error()
        if ERR_GET_REASON(number) == SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL {
            return HTTP2Error(.notHTTP2, "the peer takes no h2 by ALPN")
        }
        guard number != 0, let reason = unsafe ERR_reason_error_string(number) else {
            return HTTP2Error(code, "\(step): connection broken off")
        }
        return HTTP2Error(code, "\(step): \(unsafe String(cString: reason))")
    }
}
