package import JSONText

/// An answer that says what is wrong (RFC 9457). Bodies carry ids and rules only, never values of tokens or names.
package struct Problem: Error, Hashable, Sendable {
    package let kind: Kind
    /// What is wrong in this case; a sentence.
    package var detail: String?
    /// Each member or parameter that breaks a rule.
    package var faults: [Fault]
    /// What cannot be said in words alone: limits, revisions, when to come back.
    package var extra: Extra?

    package init(_ kind: Kind, _ detail: String? = nil, faults: [Fault] = [], extra: Extra? = nil) {
        self.kind = kind
        self.detail = detail
        self.faults = faults
        self.extra = extra
    }

    package enum Extra: Hashable, Sendable {
        /// `too-large`: the most that is taken, in bytes, or in events for a batch of too many.
        case limit(Int)
        /// `revision-conflict`: the order's revision now.
        case revision(Int)
        /// `Retry-After`, in seconds.
        case retryAfter(Int)
        /// `rate-limited`: which allowance is used up, and `Retry-After`.
        case quotaExceeded(Quota.Policy, retryAfter: Int)
        /// `Allow`: the methods this path has.
        case allow([String])
    }
}

extension Problem {
    package init(_ unavailable: Unavailable) {
        let kind: Kind =
            switch unavailable.code {
            case .rateLimited: .rateLimited
            case .overloaded: .overloaded
            case .databaseUnavailable: .databaseUnavailable
            }
        self.init(kind, extra: .retryAfter(unavailable.retryAfterSeconds))
    }

    package init(_ error: JSONError) {
        self.init(.invalidJSON, "\(error.code.explanation), at byte \(error.offset).")
    }

    /// The body, content type `application/problem+json`.
    package var json: JSONObject { json(request: nil) }

    /// The body, with the id of the request that it answers.
    func json(request: String?) -> JSONObject {
        var object: JSONObject = [
            "type": .string(kind.type), "title": .string(kind.title), "status": .integer(kind.status),
        ]
        object["detail"] = detail.map(JSON.string)
        object["instance"] = request.map { .string("urn:doorstep:request:\($0)") }
        if !faults.isEmpty { object["errors"] = .array(faults.map { .object($0.json) }) }
        switch extra {
        case .limit(let limit): object["limit"] = .integer(limit)
        case .revision(let revision): object["revision"] = .integer(revision)
        case .quotaExceeded(let policy, _): object["violated-policies"] = [.string(policy.rawValue)]
        case .retryAfter, .allow, nil: break
        }
        return object
    }
}

extension JSONError.Code {
    fileprivate var explanation: String {
        switch self {
        case .unexpectedEnd: "The text ends too early"
        case .unexpectedByte: "A byte that cannot stand here"
        case .trailingBytes: "Something follows the value"
        case .malformedNumber: "A malformed number"
        case .numberOutOfRange: "A number out of range"
        case .controlCharacter: "A control character in a string"
        case .malformedEscape: "A malformed escape"
        case .loneSurrogate: "Half of a surrogate pair"
        case .nul: "U+0000 in a string"
        case .invalidUTF8: "Bytes that are not UTF-8"
        case .duplicateName: "A name that occurs twice in one object"
        case .tooDeep: "Nested too deep"
        }
    }
}
