internal import Gzip
internal import HTTPServer
internal import JSONText

extension HTTPRequest {
    /// The body as sent, or inflated when it came as gzip; at most `limit` bytes.
    func inflatedBody(limit: Int) throws(Problem) -> [UInt8] {
        let tooLarge = Problem(.tooLarge, "At most \(limit) bytes after inflating.", extra: .limit(limit))
        switch headers.first("content-encoding")?.lowercased() {
        case nil, "", "identity":
            guard body.count <= limit else { throw tooLarge }
            return body
        case "gzip", "x-gzip":
            do throws(GzipError) {
                return try Gzip.inflate(body, limit: limit)
            } catch {
                switch error.code {
                case .tooLarge: throw tooLarge
                case .corrupt, .truncated: throw Problem(.invalidJSON, "The body is not valid gzip.")
                case .outOfMemory: throw Problem(.overloaded, extra: .retryAfter(1))
                }
            }
        default:
            throw Problem(.unsupportedMediaType, "Content-Encoding may be gzip or absent.")
        }
    }
}

extension JSON {
    /// Parses a body; an escaped U+0000 in it is a fault with its pointer, not a syntax error.
    static func parsePointingAtNul(_ bytes: [UInt8], invalid: Problem.Kind) throws(Problem) -> JSON {
        do throws(JSONError) {
            return try parse(bytes, maxDepth: IngestLimits.depth)
        } catch {
            guard error.code == .nul, let json = try? parse(bytes, maxDepth: IngestLimits.depth, nul: .allowed),
                let pointer = json.pointerToNul()
            else { throw Problem(error) }
            throw Problem(invalid, faults: [Fault(pointer, .nul, "Contains U+0000.")])
        }
    }
}
