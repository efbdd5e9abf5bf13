internal import HTTP2
private import JSONText

extension APNsAnswer {
    /// Reads a response. A body that is no JSON leaves the reason unknown: the status still says enough.
    init(_ response: HTTP2ClientResponse) {
        self.init(status: response.status, apnsUniqueID: response.headers["apns-unique-id"])
        guard !(200..<300).contains(status), let body = try? JSON.parse(response.body, maxDepth: 8) else { return }
        reason = body["reason"]?.stringValue.map(RejectionReason.init(rawValue:))
        timestampMilliseconds = body["timestamp"]?.int64Value
    }

    /// The reason in the debug data of a GOAWAY (Apple, "Handling notification responses from APNs").
    static func reason(of debugData: [UInt8]) -> RejectionReason? {
        (try? JSON.parse(debugData, maxDepth: 8))?["reason"]?.stringValue.map(RejectionReason.init(rawValue:))
    }
}
