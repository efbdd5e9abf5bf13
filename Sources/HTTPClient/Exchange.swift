internal import Runtime

/// One request on its way and whoever waits for its answer. On the loop only.
final class Exchange: CurlEasy.Receiver {
    typealias Outcome<Value> = Result<Value, HTTPClientError>

    /// How the answer is handed over.
    enum Sink {
        /// At once, when it is complete.
        case whole(CheckedContinuation<Outcome<HTTPClientResponse>, Never>)
        /// The head first, then the body piece by piece.
        case pieces(
            head: CheckedContinuation<Outcome<HTTPClientResponse.Head>, Never>,
            body: AsyncThrowingStream<[UInt8], any Error>.Continuation
        )
    }

    let request: HTTPClientRequest
    var easy: CurlEasy?
    private let sink: Sink
    private let limit: Int
    private var head = HTTPClientResponse.Head(status: 0, headers: [])
    private var body: [UInt8] = []
    private var headIsDelivered = false
    private var stopTimer: () -> Void = {}

    /// An exchange whose answer is cut off when a whole body exceeds `limit` bytes.
    init(_ request: HTTPClientRequest, limit: Int, sink: Sink) {
        self.request = request
        self.limit = limit
        self.sink = sink
    }

    /// Has `expired` called unless the answer, or the head of one that comes in pieces, is there within `limit`.
    func startTimer(_ loop: EventLoop, _ limit: Duration, expired: @escaping () -> Void) {
        let timer = loop.schedule(after: limit, expired)
        stopTimer = { loop.cancel(timer) }
    }

    func receive(headLine: UnsafeRawBufferPointer) { unsafe head.read(line: headLine) }

    func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        switch sink {
        case .whole:
            guard body.count + bytes.count <= limit else { return false }
            unsafe body.append(contentsOf: bytes)
        case .pieces(_, let stream):
            deliverHead()
            unsafe stream.yield(Array(bytes))
        }
        return true
    }

    /// Hands over how it ended; nothing may be called afterwards.
    func end(_ failure: HTTPClientError?) {
        stopTimer()
        // libcurl takes a head that breaks off for a whole one.
        let error = failure ?? (head.isComplete ? nil : HTTPClientError(.lost, requestWasWritten: true, "half a head"))
        switch sink {
        case .whole(let continuation):
            continuation.resume(returning: error.map(Result.failure) ?? .success(.init(head: head, body: body)))
        case .pieces(let first, let stream):
            if let error, !headIsDelivered {
                first.resume(returning: .failure(error))
            } else {
                deliverHead()
            }
            stream.finish(throwing: error)
        }
    }

    private func deliverHead() {
        guard case .pieces(let continuation, _) = sink, !headIsDelivered else { return }
        headIsDelivered = true
        stopTimer()
        continuation.resume(returning: .success(head))
    }
}
