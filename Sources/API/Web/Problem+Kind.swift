extension Problem {
    /// Every kind of problem. `docs/problems.md` and `openapi.yaml` list the same slugs.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case invalidJSON = "invalid-json"
        case invalidEvent = "invalid-event"
        case invalidRequest = "invalid-request"
        case timeTooFarAhead = "time-too-far-ahead"
        case eventIDReused = "event-id-reused"
        case tooLarge = "too-large"
        case unsupportedMediaType = "unsupported-media-type"
        case unauthenticated
        case forbidden
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case revisionConflict = "revision-conflict"
        case anotherDevice = "another-device"
        case registrationDead = "registration-dead"
        case cursorLost = "cursor-lost"
        case malformedRequest = "malformed-request"
        case headersTooLarge = "headers-too-large"
        case requestTimeout = "request-timeout"
        case notImplemented = "not-implemented"
        case versionNotSupported = "version-not-supported"
        case rateLimited = "rate-limited"
        case overloaded
        case databaseUnavailable = "database-unavailable"
    }
}

extension Problem.Kind {
    package var slug: String { rawValue }
    package var type: String { "urn:doorstep:problem:\(slug)" }

    package var status: Int {
        switch self {
        case .invalidJSON, .malformedRequest: 400
        case .unauthenticated: 401
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .eventIDReused, .revisionConflict, .anotherDevice: 409
        case .registrationDead, .cursorLost: 410
        case .tooLarge: 413
        case .unsupportedMediaType: 415
        case .invalidEvent, .invalidRequest, .timeTooFarAhead: 422
        case .rateLimited: 429
        case .headersTooLarge: 431
        case .notImplemented: 501
        case .overloaded, .databaseUnavailable: 503
        case .versionNotSupported: 505
        }
    }

    /// The same for every case of this kind.
    package var title: String {
        switch self {
        case .invalidJSON: "The body is not strict JSON"
        case .invalidEvent: "The event breaks a rule"
        case .invalidRequest: "The request breaks a rule"
        case .timeTooFarAhead: "The event's time lies more than 24 hours ahead"
        case .eventIDReused: "This event id was used for other content"
        case .tooLarge: "Too large"
        case .unsupportedMediaType: "This content type or encoding is not understood"
        case .unauthenticated: "A valid key is needed"
        case .forbidden: "The key does not allow this"
        case .notFound: "Nothing is known under this path"
        case .methodNotAllowed: "This path has no such method"
        case .revisionConflict: "The order has another revision"
        case .anotherDevice: "This card is another device's"
        case .registrationDead: "APNs declared this token dead"
        case .cursorLost: "This place in the log is lost"
        case .malformedRequest: "The request breaks the grammar of HTTP"
        case .headersTooLarge: "The headers are too large"
        case .requestTimeout: "The request did not arrive in time"
        case .notImplemented: "No path has this method"
        case .versionNotSupported: "Only HTTP/1.1 is spoken here"
        case .rateLimited: "Too many requests"
        case .overloaded: "Too busy to take this now"
        case .databaseUnavailable: "The database does not answer, or cannot write"
        }
    }
}
