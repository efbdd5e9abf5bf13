private import CCurl

/// One `CURL` handle: a single transfer at a time, used again for the next.
///
/// A class, because libcurl's callbacks need an address that stays. On the loop only.
@safe
final class CurlEasy {
    /// Who receives the answer while it arrives.
    protocol Receiver: AnyObject {
        func receive(headLine: UnsafeRawBufferPointer)
        /// False ends the transfer.
        func receive(body: UnsafeRawBufferPointer) -> Bool
    }

    private let handle: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private(set) var receiver: (any Receiver)?

    init() {
        guard let handle = unsafe curl_easy_init() else { preconditionFailure("libcurl is out of memory") }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(headers)
    }

    /// Lends the handle to the multi handle's calls.
    func withHandle<Value>(_ body: (UnsafeMutableRawPointer) -> Value) -> Value { unsafe body(handle) }

    /// The object behind a handle that `prepare` was called on.
    static func behind(_ handle: UnsafeMutableRawPointer) -> CurlEasy? {
        guard let context = unsafe shim_context(handle) else { return nil }
        return unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
    }

    /// Makes the handle ready for one request, forgetting the last.
    func prepare(_ request: HTTPClientRequest, receiver: any Receiver) {
        self.receiver = receiver
        unsafe curl_easy_reset(handle)
        unsafe shim_set_callbacks(handle, receiveHeadLine, receiveBody, Unmanaged.passUnretained(self).toOpaque())
        unsafe shim_set_string(handle, CURLOPT_URL, request.url)
        // Signals and proxies belong to the process, not to a request; a path is sent as it was written.
        unsafe shim_set_long(handle, CURLOPT_NOSIGNAL, 1)
        unsafe shim_set_string(handle, CURLOPT_PROXY, "")
        unsafe shim_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe shim_set_long(handle, CURLOPT_PATH_AS_IS, 1)
        unsafe shim_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        setBody(request)
        setHeaders(request.headerLines)
    }

    private func setBody(_ request: HTTPClientRequest) {
        if request.method == "HEAD" {
            unsafe shim_set_long(handle, CURLOPT_NOBODY, 1)
        } else if request.hasBody {
            unsafe request.body.withUnsafeBytes { bytes in
                _ = unsafe shim_set_body(handle, bytes.baseAddress, curl_off_t(bytes.count))
            }
        }
        unsafe shim_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func setHeaders(_ lines: [String]) {
        unsafe curl_slist_free_all(headers)
        unsafe headers = nil
        for line in lines { unsafe headers = unsafe curl_slist_append(headers, line) }
        unsafe shim_set_headers(handle, headers)
    }

    /// Forgets who receives: nothing more will arrive.
    func finish() { receiver = nil }

    /// Whether any byte of the request was given to the network.
    var requestWasWritten: Bool { unsafe shim_get_long(handle, CURLINFO_REQUEST_SIZE) > 0 }

    /// Turns libcurl's result, a `CURLcode`, into an error; nil is success. The one place that reads these codes.
    func error(code rawValue: UInt32) -> HTTPClientError? {
        let result = CURLcode(rawValue: rawValue)
        guard result != CURLE_OK else { return nil }
        let written = requestWasWritten
        let detail = unsafe String(cString: curl_easy_strerror(result))
        let code: HTTPClientError.Code =
            switch result {
            case CURLE_URL_MALFORMAT: .badRequest
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR: .badResponse
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: .unreachable
            default: written ? .lost : .unreachable
            }
        return HTTPClientError(code, requestWasWritten: written, detail)
    }
}

private func receiveHeadLine(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let easy = unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
    unsafe easy.receiver?.receive(headLine: UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let easy = unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
    let body = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    // Any other number than the one given is a refusal.
    guard let receiver = easy.receiver, unsafe receiver.receive(body: body) else { return size * count + 1 }
    return size * count
}
