internal import Runtime

/// The state over restarts.
extension Simulator {
    private static let saveInterval = Duration.seconds(2)

    /// Writes the state to its file now and then, until cancelled.
    fileprivate func keepState() async throws {
        while true {
            try await loop.sleep(for: Self.saveInterval)
            try await save()
        }
    }

    /// What an earlier simulator left.
    func savedState() async throws(SimulatorError) -> WorldState? {
        guard let path = settings.stateFile else { return nil }
        let read = await BlockingCall.run { () -> Result<WorldState?, SimulatorError> in
            Result { () throws(SimulatorError) in try StateFile(path: path).read() }
        }
        return try read.get()
    }

    /// Writes what has changed, if there is a file.
    func save() async throws(SimulatorError) {
        guard let path = settings.stateFile, hasChanged else { return }
        hasChanged = false
        let state = WorldState(world)
        let saved = await BlockingCall.run { () -> Result<Void, SimulatorError> in
            Result { () throws(SimulatorError) in try StateFile(path: path).write(state) }
        }
        try saved.get()
    }
}

/// The part of the simulator that keeps its state, as a service of its own.
struct StateKeeper: Service {
    let simulator: Simulator

    func run() async throws { try await simulator.keepState() }
}
