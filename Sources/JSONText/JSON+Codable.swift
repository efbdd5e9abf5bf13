/// As the text it is, for files that keep it beside other values.
extension JSON: Codable {
    package init(from decoder: any Decoder) throws {
        self = try .parse(Array(decoder.singleValueContainer().decode(String.self).utf8))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: serialized(), as: UTF8.self))
    }
}
