private import Glibc

/// Calls that block, each on a thread of its own, so that neither a loop nor the shared pool waits for them.
package enum BlockingCall {
    /// Runs `body` on a new thread and resumes with its value. For rare calls: name look-ups, not file reads by the
    /// thousand.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in start { continuation.resume(returning: body()) } }
    }

    /// Runs `body` on a new thread, and does not wait for it.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
        var thread = pthread_t()
        if unsafe pthread_create(&thread, nil, runWork, context) == 0 {
            pthread_detach(thread)
        } else {
            // No thread to be had: waiting here is better than never answering.
            _ = unsafe runWork(context)
        }
    }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
    return nil
}
