internal import HTTPServer

/// What is left of a caller's allowance.
package struct Quota: Hashable, Sendable {
    /// Who is counted.
    package enum Policy: String, Hashable, Sendable, CaseIterable {
        case key
        case address
    }

    let policy: Policy
    let limit: RateLimit
    let left: Int
    /// Until nothing is missing.
    let resetSeconds: Int

    /// The RateLimit fields (draft-ietf-httpapi-ratelimit-headers-10).
    var fields: [HTTPField] {
        [
            HTTPField("RateLimit-Policy", #""\#(policy.rawValue)";q=\#(limit.burst);w=\#(RateLimit.window)"#),
            HTTPField("RateLimit", #""\#(policy.rawValue)";r=\#(left);t=\#(resetSeconds)"#),
        ]
    }
}
