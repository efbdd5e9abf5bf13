/// Finds the route of a request by its raw path: each parameter is one percent-encoded segment, so `%2F` belongs to
/// the id.
package struct Router: Sendable {
    /// A route and the decoded parameters of its path, by name.
    package struct Match: Sendable {
        package let route: Route
        package let parameters: [String: String]
    }

    private struct Pattern {
        let route: Route
        let segments: [Segment]
    }

    private enum Segment: Hashable {
        case literal(String)
        case parameter(String)
    }

    private let patterns: [Pattern]

    package init() {
        patterns = Route.allCases.map { route in
            Pattern(
                route: route,
                segments: Self.split(route.path).map { segment in
                    segment.hasPrefix("{")
                        ? .parameter(String(segment.dropFirst().dropLast())) : .literal(String(segment))
                }
            )
        }
    }

    /// `HEAD` is answered as `GET`. Throws 404, 405 with the methods there are, or 422 for an undecodable id.
    package func match(method: String, path: String) throws(Problem) -> Match {
        let segments = Self.split(path)
        let candidates = path.hasPrefix("/") ? patterns.filter { Self.fits($0.segments, segments) } : []
        guard !candidates.isEmpty else { throw Problem(.notFound) }
        let wanted = method == "HEAD" ? "GET" : method
        guard let pattern = candidates.first(where: { $0.route.method == wanted }) else {
            throw Problem(.methodNotAllowed, extra: .allow(Self.methods(candidates)))
        }
        var parameters: [String: String] = [:]
        for case (.parameter(let name), let segment) in zip(pattern.segments, segments) {
            parameters[name] = try Self.identifier(name, segment)
        }
        return Match(route: pattern.route, parameters: parameters)
    }

    private static func split(_ path: String) -> [Substring] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func fits(_ pattern: [Segment], _ segments: [Substring]) -> Bool {
        pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { part, segment in
                switch part {
                case .literal(let text): text == segment
                case .parameter: !segment.isEmpty
                }
            }
    }

    private static func methods(_ patterns: [Pattern]) -> [String] {
        patterns.map(\.route.method).flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }.sorted()
    }

    private static func identifier(_ name: String, _ segment: Substring) throws(Problem) -> String {
        func refused(_ rule: Fault.Rule, _ detail: String) -> Problem {
            Problem(.invalidRequest, faults: [Fault("path:\(name)", rule, detail)])
        }
        guard let id = PercentEncoding.decode(segment) else {
            throw refused(.format, "Is not percent-encoded UTF-8.")
        }
        guard !id.hasNul else { throw refused(.nul, "Contains U+0000.") }
        guard id.utf8.count <= 255 else { throw refused(.length, "Must have 1 to 255 bytes.") }
        return id
    }
}
