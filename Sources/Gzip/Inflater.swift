private import CZlib

/// Reads a gzip stream piece by piece, never letting out more than `limit` bytes.
///
/// Members one after the other (RFC 1952, 2.2) are read as one stream.
@safe
package struct Inflater: ~Copyable {
    /// How many bytes one step of inflating may produce: bounds what a caller holds beyond the limit.
    private static let stepBytes = 64 * 1024

    /// On the heap because zlib's inner state points back at it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let limit: Int
    private var produced = 0
    private var position = Position.betweenMembers

    private enum Position {
        /// Before the first member or after a whole one. Left by the next byte to `.insideMember`.
        case betweenMembers
        /// Left to `.betweenMembers` when the member's checksum was read.
        case insideMember
    }

    /// At most `limit` bytes may come out in all; throws `outOfMemory` only.
    package init(limit: Int) throws(GzipError) {
        self.limit = limit
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // 15 window bits; 16 more say: gzip only.
        let made = unsafe inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard made == Z_OK else { throw GzipError(.outOfMemory) }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Inflates the next piece of the input.
    package mutating func inflate(_ input: [UInt8]) throws(GzipError) -> [UInt8] {
        var output: [UInt8] = []
        var consumed = 0
        var mayHoldMore = false
        while consumed < input.count || mayHoldMore {
            let step = try step(input, from: consumed)
            consumed += step.consumed
            mayHoldMore = step.mayHoldMore
            produced += step.output.count
            guard produced <= limit else { throw GzipError(.tooLarge) }
            output.append(contentsOf: step.output)
        }
        return output
    }

    /// To be called after the last piece: throws `truncated` when the stream is not whole.
    package func finish() throws(GzipError) {
        guard case .betweenMembers = position else { throw GzipError(.truncated) }
    }

    private struct Step {
        let output: [UInt8]
        let consumed: Int
        /// The output was filled, so zlib may hold more without new input.
        let mayHoldMore: Bool
    }

    private mutating func step(_ input: [UInt8], from start: Int) throws(GzipError) -> Step {
        if case .betweenMembers = position { unsafe inflateReset(stream) }
        var result = Z_OK
        var consumed = 0
        let output = unsafe [UInt8](unsafeUninitializedCapacity: Self.stepBytes) { buffer, count in
            unsafe input.withUnsafeBufferPointer { source in
                let next = unsafe source.baseAddress.map { unsafe $0 + start }
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: next)
                unsafe stream.pointee.avail_in = uInt(clamping: source.count - start)
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = uInt(buffer.count)
                let offered = unsafe stream.pointee.avail_in
                result = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                consumed = unsafe Int(offered - stream.pointee.avail_in)
                count = unsafe buffer.count - Int(stream.pointee.avail_out)
            }
        }
        switch result {
        case Z_STREAM_END: position = .betweenMembers
        // Z_BUF_ERROR: nothing could be done without more input; no error (zlib.h).
        case Z_OK, Z_BUF_ERROR: position = .insideMember
        case Z_MEM_ERROR: throw GzipError(.outOfMemory)
        default: throw GzipError(.corrupt)
        }
        return Step(
            output: output,
            consumed: consumed,
            mayHoldMore: result == Z_OK && output.count == Self.stepBytes
        )
    }
}
