private import Glibc

/// Which loop the present thread runs, kept in thread-specific data.
let currentLoop = CurrentLoop()

@safe
struct CurrentLoop: Sendable {
    private let key: pthread_key_t

    fileprivate init() {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        self.key = key
    }

    func enter(_ loop: EventLoop) { unsafe pthread_setspecific(key, Unmanaged.passUnretained(loop).toOpaque()) }
    func leave() { pthread_setspecific(key, nil) }
    func isCurrent(_ loop: EventLoop) -> Bool {
        unsafe pthread_getspecific(key) == Unmanaged.passUnretained(loop).toOpaque()
    }
}
