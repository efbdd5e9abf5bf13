import Runtime
import Testing

@testable import APNs

struct ConnectionPoolTests {
    private let now = MonotonicTime(nanoseconds: 0)
    private var generator = SplitMix64(seed: 1)

    private func pool(connections: Int = 3) -> ConnectionPool { ConnectionPool(maxConnections: connections) }

    /// A pool with one connection that may be used in full.
    private func open(streams: Int, connections: Int = 3) -> ConnectionPool {
        var pool = pool(connections: connections)
        _ = pool.claim(at: now)
        pool.opened(1)
        pool.limited(1, to: streams)
        pool.proved(1)
        return pool
    }

    @Test func `one connection is opened and the others wait for it`() {
        var pool = pool()
        #expect(pool.claim(at: now) == .open(1))
        #expect(pool.claim(at: now) == .wait)
        #expect(pool.claim(at: now) == .wait)
    }

    @Test func `the first request goes alone until a token was accepted`() {
        var pool = pool()
        _ = pool.claim(at: now)
        pool.opened(1)
        pool.limited(1, to: 1000)
        #expect(pool.claim(at: now) == .use(1))
        #expect(pool.claim(at: now) == .wait)
        pool.released(1)
        #expect(pool.claim(at: now) == .use(1))
        pool.proved(1)
        for _ in 0..<999 { #expect(pool.claim(at: now) == .use(1)) }
        #expect(pool.claim(at: now) == .open(2))
    }

    @Test func `the limit is obeyed upwards and downwards`() {
        // P10: 500, then 1, then 500.
        var pool = open(streams: 500, connections: 1)
        for _ in 0..<500 { #expect(pool.claim(at: now) == .use(1)) }
        #expect(pool.claim(at: now) == .wait)
        pool.limited(1, to: 1)
        for _ in 0..<499 {
            pool.released(1)
            #expect(pool.claim(at: now) == .wait)
        }
        pool.released(1)
        #expect(pool.claim(at: now) == .use(1))
        #expect(pool.claim(at: now) == .wait)
        pool.limited(1, to: 500)
        for _ in 0..<499 { #expect(pool.claim(at: now) == .use(1)) }
        #expect(pool.claim(at: now) == .wait)
    }

    @Test func `full connections make room for another up to the bound`() {
        // P11
        var pool = open(streams: 10, connections: 2)
        for _ in 0..<10 { #expect(pool.claim(at: now) == .use(1)) }
        #expect(pool.claim(at: now) == .open(2))
        pool.opened(2)
        pool.limited(2, to: 10)
        #expect(pool.claim(at: now) == .use(2))
        pool.proved(2)
        for _ in 0..<9 { #expect(pool.claim(at: now) == .use(2)) }
        #expect(pool.claim(at: now) == .wait)
        #expect(pool.usableConnections == 2)
    }

    @Test mutating func `a retired connection takes nothing and does not count`() {
        // P03
        var pool = open(streams: 10, connections: 1)
        #expect(pool.claim(at: now) == .use(1))
        pool.retired(1, at: now, using: &generator)
        #expect(pool.claim(at: now) == .open(2))
        pool.opened(2)
        #expect(pool.claim(at: now) == .use(2))
        pool.released(1)
        pool.gone(1, at: now, using: &generator)
        #expect(pool.usableConnections == 1)
    }

    @Test func `a limit of zero streams holds everything back`() {
        var pool = open(streams: 0, connections: 1)
        #expect(pool.claim(at: now) == .wait)
        pool.limited(1, to: 2)
        #expect(pool.claim(at: now) == .use(1))
    }

    @Test mutating func `after a failure nothing is tried until the delay has passed`() {
        // P15
        var pool = pool()
        _ = pool.claim(at: now)
        pool.failed(1, at: now, using: &generator)
        #expect(pool.claim(at: now) == .unavailable)
        #expect(pool.claim(at: now + .milliseconds(99)) == .unavailable)
        #expect(pool.claim(at: now + .milliseconds(200)) == .open(2))
        pool.failed(2, at: now, using: &generator)
        #expect(pool.claim(at: now + .milliseconds(199)) == .unavailable)
        #expect(pool.claim(at: now + .milliseconds(400)) == .open(3))
        pool.opened(3)
        #expect(pool.claim(at: now) == .use(3))
    }

    @Test mutating func `a failed second connection leaves the first in use`() {
        var pool = open(streams: 1)
        #expect(pool.claim(at: now) == .use(1))
        #expect(pool.claim(at: now) == .open(2))
        pool.failed(2, at: now, using: &generator)
        #expect(pool.claim(at: now) == .wait)
        pool.released(1)
        #expect(pool.claim(at: now) == .use(1))
    }

    @Test mutating func `connections that end before anything was accepted are replaced ever more slowly`() {
        var pool = pool()
        var time = now
        var waits: [Duration] = []
        for id in 1...6 {
            let asked = time
            while pool.claim(at: time) == .wait { time = time + .milliseconds(10) }
            waits.append(time - asked)
            pool.opened(id)
            pool.limited(id, to: 1000)
            if id == 6 { pool.proved(id) }
            pool.retired(id, at: time, using: &generator)
            pool.gone(id, at: time, using: &generator)
        }
        #expect(waits[0] == .zero && waits[1] == .zero)
        #expect(waits[2] >= .milliseconds(100) && waits[2] <= .milliseconds(210))
        #expect(waits[5] >= .milliseconds(800))
        // The last one was of use.
        #expect(pool.claim(at: time) == .open(7))
    }

    @Test mutating func `a connection prepared ahead is opened once and carries the first claim`() {
        var pool = pool()
        #expect(pool.prepare(at: now) == .open(1))
        #expect(pool.prepare(at: now) == .wait)
        #expect(pool.claim(at: now) == .wait)
        pool.opened(1)
        #expect(pool.prepare(at: now) == .ready)
        #expect(pool.claim(at: now) == .use(1))
        pool.gone(1, at: now, using: &generator)
        #expect(pool.prepare(at: now) == .open(2))
        pool.failed(2, at: now, using: &generator)
        #expect(pool.prepare(at: now) == .unavailable)
        #expect(pool.prepare(at: now + .seconds(60)) == .open(3))
    }

    @Test(arguments: 0..<50) func `no sequence of events exceeds a limit`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var pool = ConnectionPool(maxConnections: 2)
        var time = now
        var inFlight: [Int: Int] = [:]
        var limits: [Int: Int] = [:]
        var opening: Set<Int> = []
        var retired: Set<Int> = []
        for _ in 0..<2000 {
            time = time + .milliseconds(Int64.random(in: 0...50, using: &generator))
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                switch pool.claim(at: time) {
                case .use(let id):
                    inFlight[id, default: 0] += 1
                    #expect(inFlight[id, default: 0] <= limits[id, default: 1])
                    #expect(!retired.contains(id) && !opening.contains(id))
                case .open(let id):
                    opening.insert(id)
                    #expect(opening.count == 1)
                case .wait, .unavailable: break
                }
            case 5:
                guard let id = opening.popFirst() else { break }
                if Bool.random(using: &generator) {
                    pool.opened(id)
                } else {
                    pool.failed(id, at: time, using: &generator)
                }
            case 6, 7:
                guard let id = inFlight.keys.sorted().randomElement(using: &generator), inFlight[id, default: 0] > 0
                else { break }
                inFlight[id, default: 0] -= 1
                pool.released(id)
                pool.proved(id)
            case 8:
                guard let id = inFlight.keys.sorted().randomElement(using: &generator) else { break }
                limits[id] = Int.random(in: 0...5, using: &generator)
                pool.limited(id, to: limits[id, default: 1])
            default:
                guard let id = inFlight.keys.sorted().randomElement(using: &generator) else { break }
                retired.insert(id)
                pool.retired(id, at: time, using: &generator)
                if inFlight[id] == 0 {
                    pool.gone(id, at: time, using: &generator)
                    inFlight[id] = nil
                }
            }
            #expect(pool.usableConnections <= 2)
        }
    }
}
