internal import Crypto

/// What `POST /phones` asks for.
struct PhoneOrder: Sendable {
    var id: String
    var customer: String?
    /// Index in the settings.
    var app: Int
    var os = "26.0"
    var environment = PushEnvironment.sandbox
    var preset: Preset
    var prompt = Prompt.allowed
    var build = "1"
    var attributesTypes: [String]?
    var locale = "en-US"
    var timeZone = "America/Los_Angeles"
}

extension World {
    enum Added: Sendable {
        case added
        /// A phone of this id existed; nothing was changed.
        case known
    }

    /// A new phone with the app installed, opened once and sent to the background: it registers at once.
    mutating func add(_ order: PhoneOrder, at now: Moment) -> Added {
        guard phoneIndex[order.id] == nil else { return .known }
        let index = phones.count
        let startToken = Phone.SeenToken(value: mint(), observedWall: now.wall)
        let phone = Phone(order, startToken: startToken, deviceToken: mint(), above: deletedSequence, now: now)
        phones.append(phone)
        phoneIndex[order.id] = index
        issueStartTokens(startToken, to: index)
        tokens.issue(phone.deviceToken, to: recipient(.device, index))
        if phone.customer != nil { tell([.register], from: index) }
        recent.touch(index)
        return .added
    }

    /// Forgets phones, cards, requests and counters. Faults and settings stay, and the tokens of the phones answer 410.
    mutating func deletePhones(at now: Moment) {
        deletedSequence = phones.map(\.sequence).reduce(deletedSequence, max)
        phones = []
        phoneIndex = [:]
        pairs = []
        tokens.removeAll()
        channels.forgetListeners()
        storage.removeAll()
        transit.removeAll()
        log.clear()
        violations.clear()
        totals = Totals()
        lifetimes = Lifetimes()
        recent = RecentPhones()
        deferring = []
        callers = []
        epoch += 1
        deletedWall = now.wall
    }

    /// What can be done to a phone: `POST /phones/{id}/ACTION`.
    enum Action: String, Sendable, CaseIterable {
        case open
        case background
        case terminate
        case forceQuit = "force-quit"
        case offline
        case online
        case uninstall
        case dismiss
        case rotate
        case disable
        case enable
        case frequentOn = "frequent-on"
        case frequentOff = "frequent-off"
        case notificationsOn = "notifications-on"
        case notificationsOff = "notifications-off"
        case allow
        case allowAlways = "allow-always"
        case deny
        case killStartToken = "kill-start-token"
        case logout
        case login
    }

    /// Options of some actions.
    struct ActionOptions: Sendable {
        /// For `dismiss` and `allow`: one card instead of all.
        var activity: String?
        /// For `rotate`: one kind of token instead of all.
        var kind: Recipient.Kind?
        /// For `login`: whom; without it nobody logs in.
        var customer: String?
    }

    mutating func perform(_ action: Action, on index: Int, _ options: ActionOptions, at now: Moment) {
        switch action {
        case .open: tell(phones[index].open(at: now), from: index)
        case .background: phones[index].setApplication(.background)
        case .terminate: phones[index].setApplication(.terminated)
        case .forceQuit: phones[index].setApplication(.forceQuit)
        case .offline: phones[index].isOnline = false
        case .online: comeOnline(index, at: now)
        case .uninstall: uninstall(index, at: now)
        case .dismiss: tell(phones[index].dismiss(activity: options.activity, at: now), from: index)
        case .rotate: rotate(index, options.kind, at: now)
        case .disable: tell(phones[index].setActivities(enabled: false, at: now), from: index)
        case .enable: tell(phones[index].setActivities(enabled: true, at: now), from: index)
        case .frequentOn: tell(phones[index].setFrequentPushes(true, at: now), from: index)
        case .frequentOff: tell(phones[index].setFrequentPushes(false, at: now), from: index)
        case .notificationsOn: tell(phones[index].setNotifications(allowed: true, at: now), from: index)
        case .notificationsOff: tell(phones[index].setNotifications(allowed: false, at: now), from: index)
        case .allow: allow(index, options.activity, always: false, at: now)
        case .allowAlways: allow(index, nil, always: true, at: now)
        case .deny: tell(phones[index].deny(at: now), from: index)
        case .killStartToken: phones[index].isSilentlyDead = true
        case .logout: tell(phones[index].logOut(), from: index)
        case .login: tell(phones[index].logIn(options.customer), from: index)
        }
        recent.touch(index)
    }

    private mutating func allow(_ index: Int, _ activity: String?, always: Bool, at now: Moment) {
        let conditions = conditions(of: index)
        tell(
            phones[index].allow(activity: activity, always: always, conditions, at: now, using: &generator),
            from: index
        )
    }

    private mutating func comeOnline(_ index: Int, at now: Moment) {
        phones[index].isOnline = true
        deliverStored(to: index, at: now)
        for card in phones[index].cards.indices { catchUp(index, card: card, at: now) }
        if phones[index].calls.connect() { callers.append(Caller(phone: index, epoch: epoch)) }
    }

    private mutating func uninstall(_ index: Int, at now: Moment) {
        phones[index].uninstall(at: now)
        _ = storage.take(for: index)
        phones[index].calls.clear()
        let death = TokenStore.Death(
            reason: .unregistered,
            atWall: now.wall,
            answersUntil: now.phone.after(knobs.lags.uninstalled)
        )
        let phone = phones[index]
        for token in phone.startTokens.map(\.value) + [phone.deviceToken] + phone.cards.map(\.updateToken) {
            tokens.kill(token, death)
        }
    }

    /// New tokens for old ones, which die after their lag (contract 24). A running app uploads what it sees.
    private mutating func rotate(_ index: Int, _ kind: Recipient.Kind?, at now: Moment) {
        let death = TokenStore.Death(
            reason: knobs.lags.rotatedReason,
            atWall: now.wall,
            answersUntil: now.phone.after(knobs.lags.rotated)
        )
        if kind == nil || kind == .start {
            for token in phones[index].startTokens { tokens.kill(token.value, death) }
            issueStartTokens(Phone.SeenToken(value: mint(), observedWall: now.wall), to: index)
            phones[index].isSilentlyDead = false
            if phones[index].customer != nil { tell([.register], from: index) }
        }
        if kind == nil || kind == .device {
            tokens.kill(phones[index].deviceToken, death)
            phones[index].deviceToken = mint()
            tokens.issue(phones[index].deviceToken, to: recipient(.device, index))
            if phones[index].customer != nil { tell([.register], from: index) }
        }
        guard kind == nil || kind == .update else { return }
        for card in phones[index].cards.indices where phones[index].cards[card].ending(at: now.phone) == nil {
            if phones[index].cards[card].channel != nil { continue }
            tokens.kill(phones[index].cards[card].updateToken, death)
            let token = mint()
            phones[index].cards[card].updateToken = token
            phones[index].cards[card].tokenSeenWall = now.wall
            tokens.issue(token, to: recipient(.update, index, card: card))
            if phones[index].cards[card].isTokenKnown { tell([.activity(card: card)], from: index) }
        }
    }

    /// Gives a phone this start token, and more where each type has its own.
    private mutating func issueStartTokens(_ token: Phone.SeenToken, to index: Int) {
        phones[index].startToken = token
        phones[index].otherStartTokens = []
        switch knobs.phones.startTokenScope {
        case .app: break
        case .attributesType:
            let types = schemas(of: index).map(\.attributesType)
            let own = phones[index].registeredType(types)
            phones[index].startToken.attributesType = own
            phones[index].otherStartTokens = types.filter { $0 != own }.map {
                Phone.SeenToken(value: mint(), observedWall: token.observedWall, attributesType: $0)
            }
        }
        guard phones[index].startsByPush else { return }
        for token in phones[index].startTokens {
            tokens.issue(token.value, to: recipient(.start, index, attributesType: token.attributesType))
        }
    }

    func recipient(
        _ kind: Recipient.Kind,
        _ phone: Int,
        card: Int? = nil,
        attributesType: String? = nil
    ) -> Recipient {
        Recipient(
            kind: kind,
            environment: phones[phone].environment,
            app: phones[phone].app,
            phone: phone,
            card: card,
            attributesType: attributesType
        )
    }

    /// A token that bears this world's mark.
    mutating func mint() -> String { tokenMark + Hex.token(using: &generator).dropFirst(tokenMark.count) }
}
