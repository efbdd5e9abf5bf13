internal import Runtime

/// Ends what a killed `up` left running.
struct Leftovers {
    private static let patience = Duration.seconds(10)

    let loop: EventLoop
    let note: @Sendable (String) -> Void

    /// Ends the process of a pid file, if it still runs, first politely with `signal`.
    func end(_ name: String, _ file: PidFile, signal: Int32) async {
        guard let id = file.running else { return file.remove() }
        note("ending \(name) (pid \(id)), left over from an earlier run")
        Processes.signal(signal, to: id)
        let deadline = MonotonicTime.now + Self.patience
        while file.running == id, MonotonicTime.now < deadline { try? await loop.sleep(for: .milliseconds(50)) }
        if file.running == id { Processes.signal(Processes.kill, to: id) }
        while file.running == id { try? await loop.sleep(for: .milliseconds(50)) }
        file.remove()
    }
}
