private import CMicroHTTPD
internal import Runtime

extension Daemon {
    /// Answers a request that a handler has; nothing happens when its connection is gone.
    ///
    /// For a streamed body the stream is returned; whoever writes it calls `push` after each piece and at the end.
    @discardableResult
    func answer(_ id: Int, _ response: HTTPResponse) -> BodyStream? {
        guard let exchange = exchanges[id], case .handling = exchange.stage else { return nil }
        exchange.stage = .answered
        if case .stream = response.body { exchange.stream = BodyStream(exchange.connection) }
        let queued = Reply(response, stream: exchange.stream, closes: isDraining).queue(on: exchange.connection)
        exchange.connection.clock.answered(at: .now)
        if !queued { shutDown(exchange.connection) }
        unsafe MHD_resume_connection(exchange.connection.handle)
        runSoon()
        return exchange.stream
    }

    /// Refuses a request whose head is all that was read of it; the library closes the connection afterwards.
    func refuse(_ exchange: Exchange, _ fault: HTTPFault) -> Bool {
        exchange.stage = .refused
        exchange.connection.clock.answered(at: .now)
        return Reply(hooks.fault(fault), stream: nil, closes: true).queue(on: exchange.connection)
    }

    /// Refuses a request before the library does so by itself, in HTML and with every header twice (0.9.75): its own
    /// words then find the socket closed.
    func forestall(_ connection: Connection, _ fault: HTTPFault) {
        connection.clock.answered(at: .now)
        send(RawAnswer.bytes(fault, hooks.fault(fault)), on: connection)
        shutDown(connection, receiving: false)
    }

    /// Has the library ask a stream for more.
    func push(_ stream: BodyStream) {
        guard stream.isParked else { return }
        stream.isParked = false
        unsafe MHD_resume_connection(stream.connection.handle)
        runSoon()
    }
}

/// One `MHD_Response`, given back in `deinit`; the library keeps its own count while it sends.
@safe
private struct Reply: ~Copyable {
    private let handle: OpaquePointer?
    private let status: UInt32

    init(_ response: HTTPResponse, stream: BodyStream?, closes: Bool) {
        status = UInt32(clamping: response.status)
        if let stream {
            // Retained for the library, which releases it with the response.
            let context = unsafe Unmanaged.passRetained(stream).toOpaque()
            unsafe handle = MHD_create_response_from_callback(
                shim_size_unknown,
                BodyStream.highWater,
                readStream,
                context,
                releaseStream
            )
        } else if case .bytes(var bytes) = response.body {
            unsafe handle = unsafe bytes.withUnsafeMutableBytes { raw in
                unsafe MHD_create_response_from_buffer(raw.count, raw.baseAddress, .RESPMEM_MUST_COPY)
            }
        } else {
            unsafe handle = nil
        }
        guard let handle = unsafe handle else { return }
        // A header that would break the framing is refused by the library, and left out.
        for field in response.headers { unsafe _ = MHD_add_response_header(handle, field.name, field.value) }
        if closes { unsafe _ = MHD_add_response_header(handle, "Connection", "close") }
    }

    deinit {
        if let handle = unsafe handle { unsafe MHD_destroy_response(handle) }
    }

    /// Gives the answer to the library; false when it does not take it.
    func queue(on connection: Connection) -> Bool {
        guard let handle = unsafe handle else { return false }
        return unsafe MHD_queue_response(connection.handle, status, handle) == .YES
    }
}

private func readStream(
    _ context: UnsafeMutableRawPointer?,
    _ position: UInt64,
    _ buffer: UnsafeMutablePointer<CChar>?,
    _ limit: Int
) -> Int {
    guard let context = unsafe context else { return shim_end_with_error }
    let stream = unsafe Unmanaged<BodyStream>.fromOpaque(context).takeUnretainedValue()
    switch unsafe stream.take(into: UnsafeMutableRawBufferPointer(start: buffer, count: limit)) {
    case .bytes(let count):
        stream.connection.clock.pieceTaken(at: .now)
        return count
    case .nothing:
        // To return 0 alone would have the library ask again and again.
        stream.connection.clock.pieceWanted()
        stream.isParked = true
        unsafe MHD_suspend_connection(stream.connection.handle)
        return 0
    case .end: return shim_end_of_stream
    case .cut: return shim_end_with_error
    }
}

private func releaseStream(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<BodyStream>.fromOpaque(context).release()
}
