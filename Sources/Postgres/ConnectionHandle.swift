private import CLibPQ

/// A `PGconn` in non-blocking mode, closed when it is dropped.
@safe
struct ConnectionHandle: ~Copyable {
    private let raw: OpaquePointer

    private init(adopting raw: OpaquePointer) { unsafe self.raw = unsafe raw }

    deinit { unsafe PQfinish(raw) }

    // MARK: - Opening

    /// Begins to connect; go on with `poll()`.
    static func start(_ parameters: [(name: String, value: String)]) throws(PostgresError) -> ConnectionHandle {
        let raw = unsafe withCStrings(parameters.map(\.name)) { names in
            unsafe withCStrings(parameters.map(\.value)) { values in unsafe PQconnectStartParams(names, values, 1) }
        }
        guard let raw = unsafe raw else { throw PostgresError(.unreachable, "connect", message: "out of memory") }
        let handle = unsafe ConnectionHandle(adopting: raw)
        guard unsafe PQstatus(raw) != CONNECTION_BAD else { throw handle.connectFailure }
        unsafe _ = PQsetNoticeReceiver(raw, ignoreNotice, nil)
        return handle
    }

    enum Progress {
        case waitsToRead
        case waitsToWrite
        case open
        case failed
    }

    /// One step of connecting. The descriptor may be another one afterwards.
    borrowing func poll() -> Progress {
        switch unsafe PQconnectPoll(raw) {
        case PGRES_POLLING_READING: .waitsToRead
        case PGRES_POLLING_WRITING: .waitsToWrite
        case PGRES_POLLING_OK: .open
        default: .failed
        }
    }

    var connectFailure: PostgresError {
        PostgresError(.unreachable, "connect", message: unsafe message(PQerrorMessage(raw)))
    }

    var descriptor: Int32 { unsafe PQsocket(raw) }
    var usesTLS: Bool { unsafe PQsslInUse(raw) == 1 }

    /// After opening, and after a script: calls are sent without waiting for the answers of earlier ones.
    func enterPipeline() -> Bool {
        unsafe PQsetnonblocking(raw, 1) == 0 && PQenterPipelineMode(raw) == 1
    }

    func leavePipeline() -> Bool { unsafe PQexitPipelineMode(raw) == 1 }

    // MARK: - Sending: false when the connection is broken

    func prepare(_ statement: Statement, types: [UInt32]) -> Bool {
        unsafe PQsendPrepare(raw, statement.name, statement.sql, Int32(types.count), types) == 1
    }

    /// Runs a prepared statement with binary parameters and binary rows.
    func execute(_ statement: Statement, _ parameters: ParameterBuffer) -> Bool {
        let lengths = parameters.places.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: lengths.count)
        return unsafe parameters.bytes.withUnsafeBytes { bytes in
            let values = unsafe parameters.places.map { place -> UnsafePointer<CChar>? in
                guard let place, let base = bytes.baseAddress else { return nil }
                return unsafe (base + place.start).assumingMemoryBound(to: CChar.self)
            }
            let count = Int32(lengths.count)
            return unsafe PQsendQueryPrepared(raw, statement.name, count, values, lengths, formats, 1) == 1
        }
    }

    /// Ends a transaction of the pipeline.
    func sync() -> Bool { unsafe shim_pipeline_sync(raw) == 1 }

    /// Sends statements as one text, outside the pipeline.
    func send(script: String) -> Bool { unsafe PQsendQuery(raw, script) == 1 }

    enum FlushOutcome {
        case done
        case blocked
        case broken
    }

    func flush() -> FlushOutcome {
        switch unsafe PQflush(raw) {
        case 0: .done
        case 1: .blocked
        default: .broken
        }
    }

    // MARK: - Receiving

    /// Takes what the socket holds; false when the connection is broken.
    func consume() -> Bool {
        guard unsafe PQconsumeInput(raw) == 1 else { return false }
        // A TLS record larger than libpq's buffer leaves a rest inside OpenSSL that no descriptor reports.
        return usesTLS ? unsafe PQconsumeInput(raw) == 1 : true
    }

    /// Whether the next result has not arrived in full.
    var isBusy: Bool { unsafe PQisBusy(raw) == 1 }

    func nextResult() -> ResultHandle? {
        guard let result = unsafe PQgetResult(raw) else { return nil }
        return unsafe ResultHandle(adopting: result)
    }

    func canceller() -> Canceller? {
        guard let raw = unsafe PQgetCancel(raw) else { return nil }
        return unsafe Canceller(adopting: raw)
    }
}

/// A `PGcancel`: asks the server to stop what a connection is running.
///
/// A class because it travels to the thread that blocks. Unchecked because libpq allows its use on any thread.
@safe
final class Canceller: @unchecked Sendable {
    private let raw: OpaquePointer

    fileprivate init(adopting raw: OpaquePointer) { unsafe self.raw = unsafe raw }

    deinit { unsafe PQfreeCancel(raw) }

    /// Blocks until the server has taken the request. Whether it helps shows in the answer of the cancelled call.
    func request() {
        var reason = [CChar](repeating: 0, count: 256)
        unsafe _ = PQcancel(raw, &reason, Int32(reason.count))
    }
}

/// Notices go nowhere: libpq would print them.
private func ignoreNotice(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {}

/// The first line of libpq's text.
private func message(_ text: UnsafePointer<CChar>?) -> String {
    guard let text = unsafe text else { return "" }
    return unsafe String(cString: text).split(separator: "\n").first.map(String.init) ?? ""
}

/// Lends texts as the null-ended array of C strings that libpq wants.
private func withCStrings<Value>(
    _ texts: [String],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
) -> Value {
    let joined = texts.flatMap { Array($0.utf8CString) }
    return unsafe joined.withUnsafeBufferPointer { buffer in
        var pointers: [UnsafePointer<CChar>?] = unsafe []
        var offset = 0
        for text in texts {
            unsafe pointers.append(buffer.baseAddress.map { unsafe $0 + offset })
            offset += text.utf8.count + 1
        }
        unsafe pointers.append(nil)
        return unsafe pointers.withUnsafeBufferPointer { list in
            guard let start = list.baseAddress else { preconditionFailure("the array ends with nil") }
            return unsafe body(start)
        }
    }
}
