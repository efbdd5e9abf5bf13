import Testing
import Tracking

/// What holds of few token values on few devices whatever is registered where, and however late streams hear of it.
@Suite struct TokenProperties {
    private static let policy = {
        var policy = Policy()
        policy.maxActivities = 1000
        policy.startsPerTenMinutes = 1000
        policy.startsPerHour = 1000
        policy.unansweredStarts = 1000
        return policy
    }()

    @Test(arguments: 0..<2000 as Range<UInt64>)
    func `each value has one owner, and nobody believes in one that was lost`(_ seed: UInt64) {
        var phones = Phones(seed: seed)
        for _ in 0..<60 { phones.step() }
        while phones.deliver() {}
        for (id, token) in phones.tokens {
            let believers = phones.devices.values.filter { $0.holds(id) != nil }
            switch token.state {
            case .owned(let owner):
                #expect(believers.map(\.id) == [owner.holder.device])
                #expect(believers.first?.holds(id)?.claim == owner.claim)
            case .free, .dead:
                #expect(believers.isEmpty)
            }
        }
        for device in phones.devices.values where device.successor != nil { #expect(!device.hasStartToken) }
        // The start ledger moves with the phone: no start is forgotten.
        #expect(phones.devices.values.map(\.ledger.count).reduce(0, +) == phones.starts)
    }

    private struct Phones {
        struct Channel: Hashable {
            let from: String
            let to: String
        }

        var numbers: SeededNumbers
        var devices: [DeviceID: DeviceStream] = [:]
        var tokens: [TokenID: TokenStream] = [:]
        var relays: [Channel: [Relay]] = [:]
        var now = noon
        var starts = 0

        init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

        mutating func step() {
            now = now + .seconds(1)
            guard let id = numbers.one(of: ["a", "b", "c", "d"].map { DeviceID($0) }) else { return }
            switch Int.random(in: 0..<10, using: &numbers) {
            case ..<3: register(id)
            case 3: tell(id, .loggedOut(sequence: nil))
            case 4: start(id)
            case 5: meetDeath(id)
            default: _ = deliver()
            }
        }

        private mutating func register(_ id: DeviceID) {
            var registration = DeviceRegistration(observedAt: now - .seconds(Int.random(in: 0...9, using: &numbers)))
            registration.customer = CustomerID("ana")
            registration.startToken = numbers.chance(10) ? .erased : .replaced
            if registration.startToken == .replaced {
                registration.tokenID = numbers.one(of: ["ss.01", "ss.02"]).map { TokenID($0) }
            }
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: registration.deviceToken = .erased
            case 1: break
            default:
                registration.deviceToken = .replaced
                registration.deviceTokenID = numbers.one(of: ["ds.01", "ds.02"]).map { TokenID($0) }
            }
            tell(id, .registered(registration))
        }

        private mutating func start(_ id: DeviceID) {
            let before = devices[id]?.ledger.count ?? 0
            tell(id, .message(.startRequested(OrderID("\(now.microseconds)"), incarnation: 1)))
            starts += (devices[id]?.ledger.count ?? 0) - before
        }

        /// A start met a dead token, now or a while ago.
        private mutating func meetDeath(_ id: DeviceID) {
            let since = now - .seconds(Int.random(in: 0...5, using: &numbers))
            if numbers.chance(50) { return tell(id, .message(.deviceTokenDied(since: since))) }
            let message = Relay.DeviceMessage.startAnswered(
                OrderID("1"),
                incarnation: 1,
                result: .tokenDead,
                deadSince: since
            )
            tell(id, .message(message))
        }

        private mutating func tell(_ id: DeviceID, _ fact: DeviceStreamFact) {
            var stream = devices[id] ?? DeviceStream(id: id)
            let told = stream.handle(fact, version: stream.version + 1, now: now, policy: TokenProperties.policy)
            devices[id] = stream
            #expect((try? DeviceStream(id: id, stored: stream.stored)) == stream)
            send(told, from: "device \(id.value)")
        }

        private mutating func send(_ new: [Relay], from sender: String) {
            for relay in new {
                switch relay {
                case .toDevice(let id, _): relays[Channel(from: sender, to: id.value), default: []].append(relay)
                case .toToken(let id, _): relays[Channel(from: sender, to: id.value), default: []].append(relay)
                case .toOrder, .toCustomer: break
                }
            }
        }

        /// Delivers the oldest relay of some channel; false when there is none.
        mutating func deliver() -> Bool {
            let channels = relays.keys.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
            guard let channel = numbers.one(of: channels), let relay = relays[channel]?.removeFirst() else {
                return false
            }
            if relays[channel]?.isEmpty == true { relays[channel] = nil }
            switch relay {
            case .toDevice(let id, let message): tell(id, .message(message))
            case .toToken(let id, let message):
                let told = tokens[id, default: TokenStream(id: id)].handle(message)
                send(told, from: "token \(id.value)")
            case .toOrder, .toCustomer: break
            }
            return true
        }
    }
}

extension DeviceStream {
    /// The token of this name, as long as the device believes that it can be used.
    fileprivate func holds(_ id: TokenID) -> HeldToken? {
        if hasStartToken, startToken?.id == id { return startToken }
        return hasDeviceToken && deviceToken?.id == id ? deviceToken : nil
    }
}
