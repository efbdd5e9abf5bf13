import Glibc
import Runtime
import Testing

@Suite(.serialized) struct SignalsTests {
    @Test func `a signal arrives as a value and not as death`() async throws {
        try await withLoop { loop in
            let signals = try Signals.stream([.hangUp, .interrupt], on: loop)
            kill(getpid(), SIGHUP)
            for await signal in signals {
                #expect(signal == .hangUp)
                break
            }
        }
    }

    @Test func `a later stream may listen again`() async throws {
        try await withLoop { loop in
            for _ in 0..<3 {
                let signals = try Signals.stream([.hangUp], on: loop)
                kill(getpid(), SIGHUP)
                var iterator = signals.makeAsyncIterator()
                #expect(await iterator.next() == .hangUp)
            }
        }
    }
}
