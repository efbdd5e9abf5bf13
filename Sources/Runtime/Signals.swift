private import CLinux
private import Glibc

/// The signals that ask something of a running process.
package enum Signal: Int32, Hashable, Sendable, CaseIterable {
    /// Read the configuration again.
    case hangUp = 1
    /// Ctrl-C.
    case interrupt = 2
    /// Stop in good order.
    case terminate = 15
}

/// Signals of this process as values.
package enum Signals {
    /// Makes a write to a lost peer an error instead of a deadly signal; OpenSSL and libcurl write without asking.
    package static func ignoreBrokenPipe() { _ = signal(SIGPIPE, SIG_IGN) }

    /// The signals of `kinds` as they arrive, until the stream is dropped; then the default action applies again.
    ///
    /// Signals belong to the process, so at most one stream may listen for a kind at a time. Repeats that arrive
    /// within one turn of the loop may come as one, as the kernel's own do.
    package static func stream(_ kinds: Set<Signal>, on loop: EventLoop) throws(RuntimeError) -> AsyncStream<Signal> {
        let pipe = try SignalPipe(kinds)
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
        let watch = Locked<EventLoop.WatchID?>(nil)
        loop.execute {
            let id = try? loop.watch(pipe.readEnd.number, for: .readable) { _ in
                for signal in pipe.arrived() { continuation.yield(signal) }
            }
            if id == nil { continuation.finish() }
            watch.withLock { $0 = id }
        }
        continuation.onTermination = { _ in
            pipe.release()
            loop.execute {
                if let id = watch.withLock({ $0 }) { loop.unwatch(id) }
            }
        }
        return stream
    }
}

/// A pipe into which the handler writes the number of each signal: the only thing a handler may safely do.
private final class SignalPipe: Sendable {
    let readEnd: Descriptor
    private let writeEnd: Descriptor
    private let kinds: Set<Signal>

    init(_ kinds: Set<Signal>) throws(RuntimeError) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { throw .systemCall("pipe2") }
        readEnd = Descriptor(owning: ends[0])
        writeEnd = Descriptor(owning: ends[1])
        self.kinds = kinds
        for kind in kinds {
            writeEnds[kind] = writeEnd.number
            _ = signal(kind.rawValue, noteSignal)
        }
    }

    func release() {
        for kind in kinds {
            _ = signal(kind.rawValue, SIG_DFL)
            writeEnds[kind] = -1
        }
    }

    func arrived() -> [Signal] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(readEnd.number, &bytes, bytes.count)
        return bytes.prefix(max(0, count)).compactMap { Signal(rawValue: Int32($0)) }
    }
}

/// Where the handler writes, by signal number. Set before the handler is installed, so it is made by then.
private let writeEnds = WriteEnds()

/// Plain memory rather than a Swift array: a handler may interrupt anything and must take no lock. Unchecked because
/// each slot is one aligned word, written only while no handler for its signal is installed.
@safe
private struct WriteEnds: @unchecked Sendable {
    private let slots: UnsafeMutablePointer<Int32>

    init() {
        unsafe slots = .allocate(capacity: 65)
        unsafe slots.initialize(repeating: -1, count: 65)
    }

    subscript(number: Int32) -> Int32 { unsafe slots[Int(number)] }

    subscript(signal: Signal) -> Int32 {
        get { self[signal.rawValue] }
        nonmutating set { unsafe slots[Int(signal.rawValue)] = newValue }
    }
}

private func noteSignal(_ number: Int32) {
    let interrupted = errno
    var byte = UInt8(truncatingIfNeeded: number)
    unsafe _ = write(writeEnds[number], &byte, 1)
    errno = interrupted
}
