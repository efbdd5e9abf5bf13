internal import Runtime

/// Who waits for a client's stream, and until when.
struct ClientCall {
    let deadline: MonotonicTime
    let complete: (HTTP2Outcome) -> Void
}
