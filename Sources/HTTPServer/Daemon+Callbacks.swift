private import CMicroHTTPD
internal import Runtime

/// Starts the library's daemon on a listener, with `context`, an unretained `Daemon`, for every callback below.
func startDaemon(
    _ listener: Int32,
    _ pool: Int,
    _ limit: UInt32,
    _ context: UnsafeMutableRawPointer
)
    -> OpaquePointer?
{
    unsafe shim_start(
        listener,
        pool,
        limit,
        requestProgressed,
        requestCompleted,
        connectionChanged,
        targetArrived,
        messageLogged,
        context
    )
}

private func daemon(_ context: UnsafeMutableRawPointer?) -> Daemon? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
}

/// The connection object that `connectionChanged` stored with the library's handle.
private func connection(_ handle: OpaquePointer?) -> Connection? {
    guard let handle = unsafe handle, let stored = unsafe shim_stored(handle) else { return nil }
    return unsafe Unmanaged<Connection>.fromOpaque(stored).takeUnretainedValue()
}

/// A connection was accepted, or is about to be closed. The library holds one reference in between.
private func connectionChanged(
    _ context: UnsafeMutableRawPointer?,
    _ handle: OpaquePointer?,
    _ stored: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    guard let daemon = unsafe daemon(context), let handle = unsafe handle, let stored = unsafe stored else { return }
    switch change {
    case .CONNECTION_NOTIFY_STARTED:
        let socket = unsafe shim_socket(handle)
        let opened = unsafe Connection(
            id: daemon.nextID(),
            socket: socket,
            peer: Socket.peerAddress(of: socket).host,
            handle: handle,
            clock: ConnectionClock(daemon.settings, openedAt: .now)
        )
        unsafe stored.pointee = unsafe Unmanaged.passRetained(opened).toOpaque()
        daemon.opened(opened)
    case .CONNECTION_NOTIFY_CLOSED:
        guard let pointer = unsafe stored.pointee else { return }
        unsafe stored.pointee = nil
        daemon.closed(unsafe Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue())
    }
}

/// The request line is there; the target is kept because the library is about to take it apart.
private func targetArrived(
    _ context: UnsafeMutableRawPointer?,
    _ target: UnsafePointer<CChar>?,
    _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let connection = unsafe connection(handle) else { return nil }
    connection.target = unsafe target.map { unsafe String(cString: $0) } ?? ""
    connection.clock.targetArrived(at: .now)
    return nil
}

/// The library says something; of interest is that it is about to refuse a request by itself. The message does not say
/// whose, but only the connection at hand can have a complete head that was not shown to us.
private func messageLogged(
    _ context: UnsafeMutableRawPointer?,
    _ format: UnsafePointer<CChar>?,
    _ arguments: CVaListPointer?
) {
    guard let daemon = unsafe daemon(context), let format = unsafe format,
        unsafe String(cString: format).hasPrefix("Error processing request"),
        let (connection, size) = daemon.connections.values.lazy.filter({ $0.clock.awaitsHead })
            .map({ (connection: Connection) in (connection, unsafe shim_head_size(connection.handle)) })
            .first(where: { $0.1 > 0 })
    else { return }
    daemon.forestall(connection, size > daemon.settings.headerBytes ? .headerTooLarge : .badFraming)
}

/// Called with the head, then with each piece of the body, then once more when the request is whole.
private func requestProgressed(
    _ context: UnsafeMutableRawPointer?,
    _ handle: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?,
    _ bytes: UnsafePointer<CChar>?,
    _ count: UnsafeMutablePointer<Int>?,
    _ stored: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let daemon = unsafe daemon(context), let connection = unsafe connection(handle),
        let count = unsafe count, let stored = unsafe stored
    else { return .NO }
    guard let pointer = unsafe stored.pointee else {
        let head = unsafe connection.readHead(method: method, path: path, version: version)
        let exchange = daemon.begin(head, on: connection)
        unsafe stored.pointee = unsafe Unmanaged.passRetained(exchange).toOpaque()
        return daemon.headArrived(head, exchange) ? .YES : .NO
    }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    guard unsafe count.pointee > 0 else {
        switch daemon.bodyArrived(exchange) {
        case .goOn: return .YES
        case .close: return .NO
        case .wait:
            unsafe MHD_suspend_connection(connection.handle)
            return .YES
        }
    }
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: count.pointee)
    unsafe count.pointee = 0
    return unsafe daemon.bodyPieceArrived(piece, exchange) ? .YES : .NO
}

/// The exchange is over, well or badly; `stored` is nil when the library refused the request by itself.
private func requestCompleted(
    _ context: UnsafeMutableRawPointer?,
    _ handle: OpaquePointer?,
    _ stored: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ how: MHD_RequestTerminationCode
) {
    guard let daemon = unsafe daemon(context), let connection = unsafe connection(handle) else { return }
    // A connection that the library gives up is closed in its next run, which nothing else may bring about.
    if how != .REQUEST_TERMINATED_COMPLETED_OK { daemon.runSoon() }
    guard let stored = unsafe stored, let pointer = unsafe stored.pointee else {
        if how == .REQUEST_TERMINATED_COMPLETED_OK || how == .REQUEST_TERMINATED_WITH_ERROR {
            daemon.linger(connection)
        }
        return
    }
    unsafe stored.pointee = nil
    daemon.ended(unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue())
}

extension Connection {
    /// Reads the head out of the library, once it is complete.
    fileprivate func readHead(
        method: UnsafePointer<CChar>?,
        path: UnsafePointer<CChar>?,
        version: UnsafePointer<CChar>?
    ) -> RequestHead {
        guard let method = unsafe method, let path = unsafe path, let version = unsafe version else {
            return RequestHead(method: "", target: "", version: "", fields: [], size: 0, linesAreWhole: false)
        }
        let size = unsafe shim_head_size(handle)
        let methodText = unsafe String(cString: method)
        let versionText = unsafe String(cString: version)
        let requestLineIsWhole =
            unsafe path == method + methodText.utf8.count + 1
            && version == path + target.utf8.count + 1
        var reader = unsafe HeadReader(nextLine: version + versionText.utf8.count + 2)
        unsafe withUnsafeMutablePointer(to: &reader) { pointer in
            unsafe _ = MHD_get_connection_values_n(handle, .HEADER_KIND, readField, pointer)
        }
        return unsafe RequestHead(
            method: methodText,
            target: target,
            version: versionText,
            fields: reader.fields,
            size: size,
            linesAreWhole: requestLineIsWhole && reader.linesAreWhole && reader.nextLine + 2 == method + size
        )
    }
}

/// Gathers header lines and notes whether each begins where the one before it ended.
@safe
private struct HeadReader {
    var fields: [HTTPField] = []
    var linesAreWhole = true
    /// Where the next line must begin: two bytes, once CR and LF, after the last value.
    var nextLine: UnsafePointer<CChar>

    init(nextLine: UnsafePointer<CChar>) { unsafe self.nextLine = unsafe nextLine }

    mutating func read(_ name: UnsafeBufferPointer<CChar>, _ value: UnsafeBufferPointer<CChar>) {
        guard let start = name.baseAddress, let content = value.baseAddress else {
            linesAreWhole = false
            return
        }
        if unsafe start != nextLine { linesAreWhole = false }
        unsafe nextLine = unsafe content + value.count + 2
        unsafe fields.append(HTTPField(text(name), text(value).trimmingEndWhitespace()))
    }

    private func text(_ buffer: UnsafeBufferPointer<CChar>) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(buffer), as: UTF8.self)
    }
}

private func readField(
    _ context: UnsafeMutableRawPointer?,
    _ kind: MHD_ValueKind,
    _ name: UnsafePointer<CChar>?,
    _ nameCount: Int,
    _ value: UnsafePointer<CChar>?,
    _ valueCount: Int
) -> MHD_Result {
    guard let context = unsafe context else { return .NO }
    unsafe context.assumingMemoryBound(to: HeadReader.self).pointee.read(
        UnsafeBufferPointer(start: name, count: nameCount),
        UnsafeBufferPointer(start: value, count: valueCount)
    )
    return .YES
}

extension String {
    fileprivate func trimmingEndWhitespace() -> String {
        guard let last = utf8.last, last == 0x20 || last == 0x09 else { return self }
        return String(decoding: utf8.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed(), as: UTF8.self)
    }
}
