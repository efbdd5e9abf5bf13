package import Runtime

/// One event loop for all tests of a process.
package enum TestLoop {
    package static let shared: EventLoop = {
        do { return try EventLoop.start(name: "tests") } catch { fatalError("no event loop: \(error)") }
    }()
}
