import Crypto
import HTTP2
import JSONText
import Runtime

@testable import APNsSimulator

/// A sender that keeps to no rule: one connection, and as many requests at once as it is asked for.
actor RawSender {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let origin: HTTP2Origin
    private let authorization: String
    private var connection: HTTP2ClientConnection?
    private(set) var limits: [Int] = []
    private(set) var goAways: [HTTP2GoAway] = []
    private(set) var end: HTTP2Error?

    init(loop: EventLoop, origin: HTTP2Origin, authorization: String) {
        self.loop = loop
        self.origin = origin
        self.authorization = authorization
    }

    func connect() async throws(HTTP2Error) {
        connection = try await origin.connect(on: loop, within: .seconds(60)) { [weak self] event in
            self?.assumeIsolated { $0.note(event) }
        }
    }

    /// A start to `token`; `fields` replace those of a good request.
    func start(_ token: String, order: String = "O1", apnsID: String? = nil) async -> HTTP2Outcome {
        var request = HTTP2ClientRequest(path: "/3/device/\(token)")
        request.fields = [
            HTTP2Field("authorization", authorization, isNeverIndexed: true),
            HTTP2Field("apns-topic", SimulatedWorld.topic), HTTP2Field("apns-push-type", constant: "liveactivity"),
            HTTP2Field("apns-priority", constant: "10"), HTTP2Field("apns-expiration", constant: "0"),
        ]
        if let apnsID { request.fields.append(HTTP2Field("apns-id", apnsID)) }
        request.body = SimulatedWorld.start(at: WallClock.seconds, order: order).serialized()
        return await send(request)
    }

    func send(_ request: HTTP2ClientRequest, within limit: Duration = .seconds(60)) async -> HTTP2Outcome {
        await withCheckedContinuation { continuation in
            guard let connection else { return continuation.resume(returning: .unsent(HTTP2Error(.closed, "none"))) }
            connection.send(request, deadline: .now + limit) { continuation.resume(returning: $0) }
        }
    }

    /// As many starts at once, each of its own order.
    func starts(_ count: Int, _ token: String) async -> [HTTP2Outcome] {
        await withTaskGroup(of: HTTP2Outcome.self) { group in
            for number in 0..<count {
                group.addTask(executorPreference: self.loop.tasks) { await self.start(token, order: "O\(number)") }
            }
            var outcomes: [HTTP2Outcome] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
    }

    func close() { connection?.close() }

    private func note(_ event: HTTP2ClientConnection.Event) {
        switch event {
        case .settings(let count): limits.append(count)
        case .goAway(let goAway): goAways.append(goAway)
        case .ended(let reason): end = reason
        }
    }
}

extension HTTP2Outcome {
    var response: HTTP2ClientResponse? {
        switch self {
        case .answered(let response): response
        case .unsent, .unknown: nil
        }
    }

    var isUnsent: Bool {
        switch self {
        case .unsent: true
        case .answered, .unknown: false
        }
    }
}
