internal import CNGHTTP2

/// The fields of one message in nghttp2's form. Its memory serves one message after the other, and names and constant
/// values are literals, which nghttp2 need not copy either.
@safe
struct FieldBlock {
    private var native: [nghttp2_nv] = unsafe []
    /// The values that are not literals, one after the other; in `native` they have no address yet.
    private var text: [UInt8] = []

    /// Makes this the fields of a request.
    mutating func fill(with request: HTTP2ClientRequest, authority: String) {
        removeAll()
        append(":method", constant: request.method)
        append(":scheme", constant: "https")
        append(":path", request.path, isNeverIndexed: true)
        append(":authority", authority)
        append(request.fields)
    }

    /// Makes this the fields of a response.
    mutating func fill(with reply: HTTP2Reply) {
        removeAll()
        append(":status", String(reply.status))
        append(reply.fields)
    }

    private mutating func removeAll() {
        unsafe native.removeAll(keepingCapacity: true)
        text.removeAll(keepingCapacity: true)
    }

    /// Part by part, because an iterator copies each field as a whole.
    private mutating func append(_ fields: [HTTP2Field]) {
        for index in fields.indices {
            switch fields[index].value {
            case .constant(let value): append(fields[index].name, constant: value)
            case .text(let value): append(fields[index].name, value, isNeverIndexed: fields[index].isNeverIndexed)
            }
        }
    }

    private mutating func append(_ name: StaticString, constant value: StaticString) {
        unsafe native.append(
            nghttp2_nv(
                name: UnsafeMutablePointer(mutating: name.utf8Start),
                value: UnsafeMutablePointer(mutating: value.utf8Start),
                namelen: name.utf8CodeUnitCount,
                valuelen: value.utf8CodeUnitCount,
                flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)
            )
        )
    }

    private mutating func append(_ name: StaticString, _ value: String, isNeverIndexed: Bool = false) {
        let start = text.count
        text.append(contentsOf: value.utf8)
        var flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue
        if isNeverIndexed { flags |= NGHTTP2_NV_FLAG_NO_INDEX.rawValue }
        unsafe native.append(
            nghttp2_nv(
                name: UnsafeMutablePointer(mutating: name.utf8Start),
                value: nil,
                namelen: name.utf8CodeUnitCount,
                valuelen: text.count - start,
                flags: UInt8(flags)
            )
        )
    }

    /// What `HTTP2Headers.listSize` will be at the peer.
    var listSize: Int {
        unsafe native.reduce(0) { unsafe $0 + $1.namelen + $1.valuelen + HTTP2Headers.fieldOverhead }
    }

    /// Lends the fields for one call that copies what is no literal.
    mutating func withNative<Value>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Value) -> Value {
        unsafe text.withUnsafeMutableBufferPointer { text in
            var next = text.baseAddress
            for index in unsafe native.indices where unsafe native[index].value == nil {
                unsafe native[index].value = next
                unsafe next = next?.advanced(by: native[index].valuelen)
            }
            return unsafe native.withUnsafeBufferPointer { unsafe body($0.baseAddress, $0.count) }
        }
    }
}
