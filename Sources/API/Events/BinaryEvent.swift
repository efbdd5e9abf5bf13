internal import HTTPServer
internal import JSONText

/// An event in CloudEvents' binary mode: attributes in `ce-` headers, data in the body. Read into the same members as
/// the structured form, so that all later rules are one.
enum BinaryEvent {
    static let prefix = "ce-"

    static func isBinary(_ headers: HTTPHeaders) -> Bool {
        headers.first("ce-specversion") != nil || headers.first("ce-id") != nil
    }

    static func members(headers: HTTPHeaders, body: [UInt8]) throws(Problem) -> JSONObject {
        var members = JSONObject()
        for field in headers.fields where field.name.lowercased().hasPrefix(prefix) {
            let name = String(field.name.lowercased().dropFirst(prefix.count))
            guard name != "datacontenttype", name != "data", members[name] == nil else {
                throw fault(name, .unsupported, "Is no header of its own, or was sent twice.")
            }
            guard let value = PercentEncoding.decode(unquoted(field.value)) else {
                throw fault(name, .format, "Is not percent-encoded UTF-8.")
            }
            members[name] = .string(value)
        }
        guard !body.isEmpty else { return members }
        guard MediaType(headers.first("content-type"))?.isJSON == true else {
            throw Problem(.unsupportedMediaType, "Only JSON is taken as data.")
        }
        do throws(JSONError) {
            members["data"] = try JSON.parse(body, maxDepth: IngestLimits.depth, nul: .allowed)
        } catch {
            throw Problem(error)
        }
        return members
    }

    private static func fault(_ name: String, _ rule: Fault.Rule, _ detail: String) -> Problem {
        Problem(.invalidEvent, faults: [Fault("/\(name.asPointerToken)", rule, detail)])
    }

    /// The quoted form of earlier versions of the binding: quotes around, backslashes before quotes and backslashes.
    private static func unquoted(_ value: String) -> String {
        guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
        var isEscaped = false
        return value.dropFirst().dropLast().reduce(into: "") { text, character in
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                text.append(character)
                isEscaped = false
            }
        }
    }
}
