/// The ordinary token, with which alerts reach the device whatever its cards do (rule 14).
extension DeviceStream {
    /// The token as long as pushes can be sent with it.
    var liveDeviceToken: HeldToken? { deviceToken?.deadSince == nil ? deviceToken : nil }

    /// What the token's stream must hear of a change.
    func deviceTokenMessages(since had: HeldToken?) -> [Relay] {
        TokenHolder(device: id).messages(
            from: had,
            to: liveDeviceToken,
            observedAt: deviceTokenAt,
            diedAt: deviceToken?.deadSince
        )
    }

    mutating func mergeDeviceToken(_ registration: DeviceRegistration) {
        switch registration.deviceToken {
        case .unchanged:
            break
        case .erased:
            eraseDeviceToken()
        case .replaced:
            hasDeviceToken = true
            deviceTokenAt = registration.observedAt
            deviceToken = registration.deviceTokenID.map { HeldToken(id: $0, claim: version) }
        }
    }

    mutating func eraseDeviceToken() {
        hasDeviceToken = false
        deviceTokenAt = nil
        deviceToken = nil
    }

    /// Another device has the value now, or it is dead. False: it was not this claim.
    mutating func loseDeviceToken(_ token: TokenID, claim: Int) -> Bool {
        guard let deviceToken, deviceToken.id == token, deviceToken.claim == claim else { return false }
        eraseDeviceToken()
        return true
    }

    /// A token that was observed after the death is another one: the order that met the death is told of it all the same.
    mutating func deviceTokenDied(since: Instant?, now: Instant) -> [Relay] {
        if let deviceTokenAt, let since, deviceTokenAt > since { return tellOfTokens() }
        hasDeviceToken = false
        deviceTokenAt = nil
        deviceToken?.deadSince = since ?? now
        return tellOfTokens()
    }

    /// Which tokens there are has changed.
    mutating func tellOfTokens() -> [Relay] {
        generation += 1
        return snapshot.map { [.toCustomer($0.customer, .deviceChanged($0))] } ?? []
    }
}
