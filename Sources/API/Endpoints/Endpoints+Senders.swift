internal import HTTPServer

/// Who sends events, and whether it may.
extension Endpoints {
    /// The holder of the key or, of a signed request, the source that its event names: the signature is checked with that
    /// source's secrets, and stands for no other source.
    func sender(_ call: Call, of source: String?) async throws(Problem) -> Caller {
        if let admitted = call.admitted { return admitted }
        guard let source, let signature = WebhookSignature(call.request.headers),
            signature.isFresh(at: call.receivedAt)
        else { throw Self.unsigned }
        let signers = try await asking { () async throws(Unavailable) in
            try await ports.access.signers(of: source, app: call.query["app"])
        }
        guard let signer = signers.first(where: { signature.isMade(of: call.request.body, with: $0.secrets) }) else {
            throw Self.unsigned
        }
        return try counted(Caller(signing: source, app: signer.app))
    }

    /// A caller whose signature was its admission.
    func counted(_ caller: Caller) throws(Problem) -> Caller {
        _ = try limiter.take(.caller(caller.actor))
        return caller
    }

    /// One answer for every fault: which it is helps only those who guess.
    static let unsigned = Problem(
        .unauthenticated,
        "The signature, its time or its source is not accepted. Send a key as Authorization: Bearer dk_…, or sign with a secret "
            + "of the source."
    )

    /// `OPTIONS /v1/events`: a sender of CloudEvents asks whether it is welcome (HTTP webhooks for CloudEvents, section 4). It
    /// is, at any rate that the limits allow; a key or a signature is asked for with each event.
    func handshake(_ call: Call) -> HTTPResponse {
        var response = HTTPResponse(status: 200)
        response.headers.append(HTTPField("Allow", "OPTIONS, POST"))
        let origin = call.request.headers.first("webhook-request-origin") ?? ""
        if (1...255).contains(origin.utf8.count), origin.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            response.headers.append(HTTPField("WebHook-Allowed-Origin", origin))
            response.headers.append(HTTPField("WebHook-Allowed-Rate", "*"))
        }
        return response
    }
}

extension Caller {
    /// A source that signed its request: it may post for itself alone.
    init(signing source: String, app: String) {
        let id = "signature/\(source)"
        self.init(key: AccessKey(id: id, role: .ingest, secretDigest: [], apps: [app], sources: [source]), app: app)
    }
}
