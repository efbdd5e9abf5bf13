/// What a card shows: the canonical state from which every app's `content-state` is rendered.
package struct Content: Hashable, Sendable {
    package var phase: Phase
    package var eta: Instant?
    package var isLate: Bool
    package var isStale: Bool
    package var courierName: String?
    package var attemptFailed: Bool
    package var progress: Double?
    /// What a customer asked for and the partner has not answered.
    package var pendingCommand: String?

    package init(
        phase: Phase,
        eta: Instant? = nil,
        isLate: Bool = false,
        isStale: Bool = false,
        courierName: String? = nil,
        attemptFailed: Bool = false,
        progress: Double? = nil,
        pendingCommand: String? = nil
    ) {
        self.phase = phase
        self.eta = eta
        self.isLate = isLate
        self.isStale = isStale
        self.courierName = courierName
        self.attemptFailed = attemptFailed
        self.progress = progress
        self.pendingCommand = pendingCommand
    }

    /// The order as its cards should show it. A broken promise is shown as such and its arrival time as unknown.
    @inline(__always)
    package init(
        _ order: borrowing Order,
        isStale: Bool = false,
        pendingCommand: String? = nil,
        showsProgress: Bool = false
    ) {
        let isFinal = order.phase.isFinal
        self.init(
            phase: order.phase,
            eta: isFinal || isStale ? nil : order.eta,
            isLate: !isFinal && order.flags.contains(.late),
            isStale: isStale,
            courierName: isFinal ? nil : order.courier?.name,
            attemptFailed: !isFinal && order.flags.contains(.attemptFailed),
            progress: showsProgress ? order.progress : nil,
            pendingCommand: isFinal ? nil : pendingCommand
        )
    }

    /// Identifies what is visible; equal digests need no push.
    package var digest: UInt64 {
        var digest = Digest()
        digest.add(UInt64(phase.rawValue))
        digest.add(UInt64(bitPattern: eta?.seconds ?? .min))
        digest.add((isLate ? 1 : 0) | (isStale ? 2 : 0) | (attemptFailed ? 4 : 0))
        digest.add(courierName ?? "\0")
        digest.add((progress ?? -1).bitPattern)
        digest.add(pendingCommand ?? "\0")
        return digest.value
    }
}

/// The card's facts that never change after its start.
package struct CardAttributes: Hashable, Sendable {
    package var displayNumber: String?
    package var restaurant: String?
    package var promisedAt: Instant?

    package init(displayNumber: String? = nil, restaurant: String? = nil, promisedAt: Instant? = nil) {
        self.displayNumber = displayNumber
        self.restaurant = restaurant
        self.promisedAt = promisedAt
    }

    @inline(__always)
    package init(_ order: borrowing Order) {
        self.init(
            displayNumber: order.displayNumber,
            restaurant: order.restaurant?.name,
            promisedAt: order.firstPromised
        )
    }
}

/// FNV-1a over 64 bits: stable across processes and releases, unlike `Hasher`.
package struct Digest: Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    package mutating func add(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }

    package mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte: byte) }
        add(byte: 0xFF)
    }

    package mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { add(byte: byte) }
        add(byte: 0xFF)
    }
}
