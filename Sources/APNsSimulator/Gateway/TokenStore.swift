extension String {
    /// Whether it could be a push token: hexadecimal digits, any even number of them (contract 9).
    var isPushToken: Bool {
        !isEmpty && utf8.count.isMultiple(of: 2) && utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }
}

/// All tokens ever handed out and what has become of them (contract 9, 24, 25, 27).
///
/// A token whose card is over dies with the card: the world knows that; here stand rotation and removal.
struct TokenStore: Sendable, Codable {
    /// A token's death: answered 200 until `answersUntil`, then 410.
    struct Death: Sendable, Codable {
        let reason: Reason
        /// The `timestamp` of the 410, by the machine's clock in microseconds.
        let atWall: Int64
        /// By the phones' clock in microseconds; the lag is part of it.
        let answersUntil: Int64
    }

    struct Entry: Sendable, Codable {
        let recipient: Recipient
        var death: Death?
        var rate = TokenRate()
    }

    private var entries: [String: Entry] = [:]

    func recipient(of token: String) -> Recipient? { entries[token]?.recipient }

    func death(of token: String) -> Death? { entries[token]?.death }

    mutating func issue(_ token: String, to recipient: Recipient) {
        entries[token] = Entry(recipient: recipient)
    }

    mutating func kill(_ token: String, _ death: Death) {
        guard entries[token]?.death == nil else { return }
        entries[token]?.death = death
    }

    /// Whether the rate to a token allows one more request at `now` (µs of the machine's clock).
    mutating func admit(_ token: String, at now: Int64, _ limits: TokenRate.Limits) -> Bool {
        entries[token]?.rate.admit(at: now, limits) ?? true
    }

    mutating func removeAll() { entries = [:] }
}
