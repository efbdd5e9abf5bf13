internal import JSONText
internal import Runtime

/// Makes the phones of a replay and waits until Doorstep knows whose they are.
struct PhoneSetup: Sendable {
    private static let chunk = 500
    private static let asking = 32
    private static let patience = Duration.seconds(60)

    let simulator: SimulatorClient
    let doorstep: DoorstepClient
    let loop: EventLoop
    let progress: @Sendable (ReplayProgress) -> Void

    func run(_ plan: PhonePlan, app: String) async throws(ReplayError) {
        var rest = plan.phones[...]
        while !rest.isEmpty {
            try await simulator.add(rest.prefix(Self.chunk), app: app)
            rest = rest.dropFirst(Self.chunk)
        }
        try await waitUntilTold(count: plan.phones.count)
        try await concurrently(plan.phones, limit: Self.asking) { phone async throws(ReplayError) in
            try await waitUntilLinked(phone)
        }
    }

    /// The apps have told Doorstep of themselves and got their answers. The deadline starts again with each that has.
    private func waitUntilTold(count: Int) async throws(ReplayError) {
        var last = Int.max
        var deadline = MonotonicTime.now + Self.patience
        while true {
            let open = try await simulator.phonesWithCalls()
            progress(ReplayProgress(stage: .phones, done: max(0, count - open), total: count))
            if open == 0 { return }
            if open < last { deadline = .now + Self.patience }
            guard MonotonicTime.now < deadline else {
                throw ReplayError(.unreachable, "\(open) phones cannot register with Doorstep; see the simulator's log")
            }
            last = open
            try? await loop.sleep(for: .milliseconds(100))
        }
    }

    /// The registration has reached its customer, who will introduce the phone to the customer's orders.
    private func waitUntilLinked(_ phone: PhonePlan.Phone) async throws(ReplayError) {
        let deadline = MonotonicTime.now + Self.patience
        while MonotonicTime.now < deadline {
            let device = try await doorstep.ask(
                "/v1/devices/\(PathSegment.encode(phone.id))",
                query: "&linked=1&wait=10"
            )
            if device?["linked"]?.boolValue == true { return }
            try? await loop.sleep(for: .milliseconds(100))
        }
        throw ReplayError(.unexpectedAnswer, "a phone that registered is not linked to its customer")
    }
}
