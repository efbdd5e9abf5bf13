private import Crypto

/// All channels ever made; apps and environments share none (contract 6.2).
struct ChannelStore: Sendable, Codable {
    /// Deleted ones stay in their place, because requests and cards name channels by index.
    private(set) var all: [Channel] = []
    private var indices: [String: Int] = [:]
    private var counts: [Owner: Int] = [:]
    /// Apps, by index, whose developer has not switched the capability on.
    private var disabled: Set<Int> = []

    private struct Owner: Hashable, Codable {
        let app: Int
        let environment: PushEnvironment
    }

    subscript(index: Int) -> Channel {
        get { all[index] }
        set { all[index] = newValue }
    }

    /// The index of a channel that takes requests.
    func find(_ id: String, app: Int, _ environment: PushEnvironment) -> Int? {
        guard let index = indices[id], all[index].app == app, all[index].environment == environment,
            !all[index].isDeleted
        else { return nil }
        return index
    }

    /// The channels of an app that take requests, in order of creation.
    func open(app: Int, _ environment: PushEnvironment) -> [Channel] {
        all.filter { $0.app == app && $0.environment == environment && !$0.isDeleted }
    }

    func count(app: Int, _ environment: PushEnvironment) -> Int {
        counts[Owner(app: app, environment: environment)] ?? 0
    }

    mutating func create(
        app: Int,
        _ environment: PushEnvironment,
        _ storage: Channel.Storage,
        at now: Int64,
        using generator: inout some RandomNumberGenerator
    ) -> Int {
        let words = [generator.next(), generator.next()]
        let id = Base64.encode(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
        indices[id] = all.count
        counts[Owner(app: app, environment: environment), default: 0] += 1
        all.append(Channel(id: id, app: app, environment: environment, storage: storage, createdAt: now))
        return all.count - 1
    }

    /// Irreversible.
    mutating func delete(_ index: Int) {
        guard !all[index].isDeleted else { return }
        all[index].isDeleted = true
        counts[Owner(app: all[index].app, environment: all[index].environment), default: 0] -= 1
    }

    /// Whether an app's developer has broadcasts switched on.
    func isEnabled(app: Int) -> Bool { !disabled.contains(app) }

    /// Switching the capability off deletes all channels of the app (contract 50).
    mutating func setEnabled(_ isEnabled: Bool, app: Int) {
        if isEnabled {
            disabled.remove(app)
        } else {
            disabled.insert(app)
            for index in all.indices where all[index].app == app { delete(index) }
        }
    }

    mutating func listen(_ index: Int, phone: Int, card: Int) {
        all[index].listeners.append(Channel.Listener(phone: phone, card: card))
    }

    /// The phones are gone; channels are the sender's and stay.
    mutating func forgetListeners() {
        for index in all.indices {
            all[index].listeners = []
            all[index].stored = nil
        }
    }
}
