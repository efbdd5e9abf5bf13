private import Glibc
private import Runtime

/// The places where a debug build kills itself on request, so that tests can show that nothing accepted is lost.
///
/// `DOORSTEP_CRASH_AT=NAME[:nth]`: SIGKILL at the nth passage, the first without a number. Release builds have none.
package enum CrashPoint: String, Sendable, CaseIterable {
    case appendBeforeCommit = "append.beforeCommit"
    case appendAfterCommit = "append.afterCommit"
    case projectBeforeCommit = "project.beforeCommit"
    case sendAfterAccept = "send.afterAccept"
    case outcomeBeforeCommit = "outcome.beforeCommit"

    package func reached() {
        #if DEBUG
        guard let armed, armed.point == self else { return }
        let dies = passages.withLock { passages in
            passages += 1
            return passages >= armed.nth
        }
        if dies { kill(getpid(), SIGKILL) }
        #endif
    }
}

#if DEBUG
private let passages = Locked(0)

private let armed: (point: CrashPoint, nth: Int)? = {
    guard let raw = getenv("DOORSTEP_CRASH_AT") else { return nil }
    let parts = String(cString: raw).split(separator: ":", maxSplits: 1)
    guard let name = parts.first, let point = CrashPoint(rawValue: String(name)) else { return nil }
    return (point, parts.count > 1 ? Int(parts[1]) ?? 1 : 1)
}()
#endif
