private import CCurl
internal import Runtime

/// One `CURLM` handle driven by an event loop: libcurl says which sockets and which delay to wait for, the loop tells it
/// what happened.
///
/// A class, because libcurl's callbacks need an address that stays. On the loop only.
@safe
final class CurlMulti {
    private let handle: UnsafeMutableRawPointer
    private let loop: EventLoop
    private let finished: (ObjectIdentifier, HTTPClientError?) -> Void
    private var watches: [Int32: EventLoop.WatchID] = [:]
    private var timer: EventLoop.TimerID?
    /// Keeps handles alive while libcurl has them.
    private var active: [ObjectIdentifier: CurlEasy] = [:]

    /// A handle that keeps up to `connections` open, and calls `finished` once for each transfer that ends.
    init(loop: EventLoop, connections: Int, finished: @escaping (ObjectIdentifier, HTTPClientError?) -> Void) {
        guard curlIsReady, let handle = unsafe curl_multi_init() else {
            preconditionFailure("libcurl is out of memory")
        }
        unsafe self.handle = unsafe handle
        self.loop = loop
        self.finished = finished
        unsafe shim_multi_set_long(handle, CURLMOPT_MAXCONNECTS, connections)
        unsafe shim_multi_set_callbacks(handle, watchSocket, setTimer, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        unsafe shim_multi_set_callbacks(handle, nil, nil, nil)
        // The watches end before the sockets close, and both on the loop: a closed number may be in use again.
        let remains = unsafe Remains(handle: handle, watches: Array(watches.values))
        let loop = loop
        loop.execute { remains.clear(on: loop) }
    }

    /// Begins a transfer.
    func add(_ easy: CurlEasy) {
        active[ObjectIdentifier(easy)] = easy
        unsafe easy.withHandle { unsafe _ = curl_multi_add_handle(handle, $0) }
    }

    /// Takes back a transfer, breaking its connection when it had not finished.
    func remove(_ easy: CurlEasy) {
        guard active.removeValue(forKey: ObjectIdentifier(easy)) != nil else { return }
        unsafe easy.withHandle { unsafe _ = curl_multi_remove_handle(handle, $0) }
        easy.finish()
    }

    fileprivate func watch(_ socket: Int32, _ what: Int32) {
        if what == CURL_POLL_REMOVE {
            if let id = watches.removeValue(forKey: socket) { loop.unwatch(id) }
            return
        }
        var interest: EventLoop.Readiness = []
        if what & CURL_POLL_IN != 0 { interest.insert(.readable) }
        if what & CURL_POLL_OUT != 0 { interest.insert(.writable) }
        if let id = watches[socket] { return loop.rearm(id, for: interest) }
        watches[socket] = try? loop.watch(socket, for: interest) { [unowned self] readiness in
            var events: Int32 = 0
            if readiness.contains(.readable) { events |= CURL_CSELECT_IN }
            if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
            if readiness.contains(.closed) { events |= CURL_CSELECT_IN | CURL_CSELECT_ERR }
            act(socket, events)
        }
    }

    fileprivate func wait(milliseconds: Int) {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard milliseconds >= 0 else { return }
        timer = loop.schedule(after: .milliseconds(milliseconds)) { [weak self] in
            self?.timer = nil
            self?.act(CURL_SOCKET_TIMEOUT, 0)
        }
    }

    private func act(_ socket: Int32, _ events: Int32) {
        var running: Int32 = 0
        unsafe _ = curl_multi_socket_action(handle, socket, events, &running)
        reportFinished()
    }

    private func reportFinished() {
        var result: UInt32 = 0
        while let done = unsafe shim_multi_next_done(handle, &result) {
            guard let easy = unsafe CurlEasy.behind(done) else { continue }
            let error = easy.error(code: result)
            remove(easy)
            finished(ObjectIdentifier(easy), error)
        }
    }
}

/// What is left of a multi handle whose owner is gone. Unchecked because it is sent to the loop once, by the deinit that
/// gives the handle up: nobody else has it then.
@safe
private struct Remains: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer
    let watches: [EventLoop.WatchID]

    func clear(on loop: EventLoop) {
        for watch in watches { loop.unwatch(watch) }
        unsafe _ = curl_multi_cleanup(handle)
    }
}

private let curlIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

private func watchSocket(
    _ easy: UnsafeMutableRawPointer?,
    _ socket: Int32,
    _ what: Int32,
    _ context: UnsafeMutableRawPointer?,
    _ perSocket: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return 0 }
    unsafe Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().watch(socket, what)
    return 0
}

private func setTimer(
    _ multi: UnsafeMutableRawPointer?,
    _ milliseconds: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return 0 }
    unsafe Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().wait(milliseconds: milliseconds)
    return 0
}
