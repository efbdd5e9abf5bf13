private import HTTPClient
internal import Runtime

/// What the virtual apps have to tell Doorstep.
extension Simulator {
    private static let workers = 32
    /// How often the ends of the cards' eight hours are looked for.
    private static let sweepInterval = Duration.milliseconds(500)

    /// Tells Doorstep what the virtual apps have to tell, until cancelled.
    fileprivate func serveApps() async {
        let client = settings.doorstep.map {
            HTTPClient(loop: loop, baseURL: $0.url, maxConnections: Self.workers, timeout: .seconds(30))
        }
        await withTaskGroup { group in
            if let client {
                for _ in 0..<Self.workers { group.addTask { await self.work(client) } }
            }
            while !Task.isCancelled {
                let before = world.recent.version
                world.sweep(at: now)
                if world.recent.version != before { hasChanged = true }
                world.endIdleConnections(at: now)
                hand(over: world.takeCallers())
                carryOutCommands()
                try? await loop.sleep(for: Self.sweepInterval)
            }
            queue.close()
            group.cancelAll()
        }
    }

    func hand(over callers: [World.Caller]) {
        if !callers.isEmpty { hasChanged = true }
        guard settings.doorstep != nil else { return }
        for caller in callers { queue.add(caller) }
    }

    private func work(_ client: HTTPClient) async {
        while let caller = await withCheckedContinuation({ queue.next($0) }) {
            guard let call = world.nextCall(of: caller, at: now) else { continue }
            let headers = [
                ("authorization", "Bearer \(settings.doorstep?.deviceKey ?? "")"), ("content-type", "application/json"),
            ]
            let response = try? await client.send(call.method, call.path, headers: headers, body: call.body)
            hasChanged = true
            let failures = world.finished(call, status: response?.status, body: response?.body ?? [], at: now)
            hand(over: world.takeCallers())
            // While Doorstep is away, thousands of phones must not keep the machine busy.
            if response == nil { try? await loop.sleep(for: .milliseconds(250)) }
            guard let failures else { continue }
            loop.schedule(after: backoff.delay(afterFailure: failures, using: &jitter)) { [weak self] in
                self?.assumeIsolated { $0.retry(caller) }
            }
        }
    }

    private func retry(_ caller: World.Caller) {
        world.retry(caller)
        hand(over: world.takeCallers())
    }
}

/// The part of the simulator that talks to Doorstep, as a service of its own.
struct VirtualApps: Service {
    let simulator: Simulator

    func run() async throws { await simulator.serveApps() }
}
