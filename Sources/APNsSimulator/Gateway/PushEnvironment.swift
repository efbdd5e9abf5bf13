/// Which of Apple's two worlds a listener, a token or a key belongs to; they share nothing (contract 1.1.6).
package enum PushEnvironment: String, Sendable, CaseIterable, Codable {
    case sandbox
    case production
}
