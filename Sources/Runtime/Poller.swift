private import CLinux
private import Glibc

/// The descriptors a loop waits for: one epoll instance, and a handler for each watch.
@safe
struct Poller: ~Copyable {
    typealias Readiness = EventLoop.Readiness

    private struct Watch {
        let descriptor: Int32
        let handler: (Readiness) -> Void
    }

    private let epoll: Descriptor
    private var watches: [UInt64: Watch] = [:]
    private var events = unsafe [epoll_event](repeating: epoll_event(), count: 256)

    init() throws(RuntimeError) {
        let number = epoll_create1(O_CLOEXEC)
        guard number >= 0 else { throw .systemCall("epoll_create1") }
        epoll = Descriptor(owning: number)
    }

    mutating func add(
        _ id: UInt64,
        _ descriptor: Int32,
        for interest: Readiness,
        edgeTriggered: Bool,
        _ handler: @escaping (Readiness) -> Void
    ) throws(RuntimeError) {
        try control(EPOLL_CTL_ADD, descriptor, id, interest, edgeTriggered)
        watches[id] = Watch(descriptor: descriptor, handler: handler)
    }

    func change(_ id: UInt64, to interest: Readiness, edgeTriggered: Bool) {
        guard let watch = watches[id] else { return }
        // Only a descriptor that was closed under its watch makes this fail, and then nothing is left to wait for.
        try? control(EPOLL_CTL_MOD, watch.descriptor, id, interest, edgeTriggered)
    }

    mutating func remove(_ id: UInt64) {
        guard let watch = watches.removeValue(forKey: id) else { return }
        _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, watch.descriptor, nil)
    }

    /// Waits for something to be ready, at most so long (-1: for ever), and returns how many entries `ready` has.
    mutating func wait(milliseconds: Int32) -> Int {
        unsafe max(0, Int(epoll_wait(epoll.number, &events, Int32(events.count), milliseconds)))
    }

    /// An entry of the last wait, unless its watch has ended since: a handler may end the watches of others.
    func ready(_ index: Int) -> (handler: (Readiness) -> Void, readiness: Readiness)? {
        let (id, bits) = unsafe (events[index].data.u64, events[index].events)
        guard let watch = watches[id] else { return nil }
        var readiness: Readiness = []
        if bits & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
        if bits & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
        if bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue | EPOLLRDHUP.rawValue) != 0 { readiness.insert(.closed) }
        return (watch.handler, readiness)
    }

    private func control(
        _ operation: Int32,
        _ descriptor: Int32,
        _ id: UInt64,
        _ interest: Readiness,
        _ edgeTriggered: Bool
    ) throws(RuntimeError) {
        var bits: UInt32 = 0
        // Half-closed is news only to a reader; to others it would be reported again and again.
        if interest.contains(.readable) { bits |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
        if interest.contains(.writable) { bits |= EPOLLOUT.rawValue }
        if edgeTriggered { bits |= EPOLLET.rawValue }
        var event = unsafe epoll_event(events: bits, data: epoll_data_t(u64: id))
        guard unsafe epoll_ctl(epoll.number, operation, descriptor, &event) == 0 else { throw .systemCall("epoll_ctl") }
    }
}
