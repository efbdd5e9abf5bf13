import Runtime

/// Lets a few in at once; the others wait in line.
final class Seats: Sendable {
    private struct Content {
        var free: Int
        var line = FIFO<CheckedContinuation<Void, Never>>()
    }

    private let content: Locked<Content>

    init(_ count: Int) { content = Locked(Content(free: count)) }

    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = content.withLock { content in
                guard content.free > 0 else {
                    content.line.append(continuation)
                    return false
                }
                content.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func leave() {
        let next = content.withLock { content in
            let next = content.line.popFirst()
            if next == nil { content.free += 1 }
            return next
        }
        next?.resume()
    }
}
