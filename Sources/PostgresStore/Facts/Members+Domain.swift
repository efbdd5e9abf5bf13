internal import JSONText
internal import Tracking

extension Members {
    func instant(_ name: String) throws(FactError) -> Instant {
        guard let moment = RFC3339.parse(try text(name)) else { throw FactError(.badValue, name) }
        return Instant(microseconds: moment.microseconds)
    }

    func optionalInstant(_ name: String) throws(FactError) -> Instant? {
        optional(name) == nil ? nil : try instant(name)
    }

    func instants(_ name: String) throws(FactError) -> [Instant] {
        guard let values = try required(name).arrayValue else { throw FactError(.badValue, name) }
        var moments: [Instant] = []
        for value in values {
            guard let moment = value.stringValue.flatMap({ RFC3339.parse($0) }) else {
                throw FactError(.badValue, name)
            }
            moments.append(Instant(microseconds: moment.microseconds))
        }
        return moments
    }

    func device(_ name: String = "device") throws(FactError) -> DeviceID { DeviceID(try text(name)) }
    func token(_ name: String = "token") throws(FactError) -> TokenID { TokenID(try text(name)) }
    func order(_ name: String = "order") throws(FactError) -> OrderID { OrderID(try text(name)) }

    func word<Value: RawRepresentable>(
        _ name: String,
        _ type: Value.Type
    ) throws(FactError) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: try text(name)) else { throw FactError(.badValue, name) }
        return value
    }

    func verb(_ name: String) throws(FactError) -> Verb {
        guard let value = Verb(name: try text(name)) else { throw FactError(.badValue, name) }
        return value
    }

    func phase(_ name: String) throws(FactError) -> Phase {
        guard let value = Phase(name: try text(name)) else { throw FactError(.badValue, name) }
        return value
    }

    func digest(_ name: String) throws(FactError) -> UInt64 {
        guard let value = UInt64(try text(name), radix: 16) else { throw FactError(.badValue, name) }
        return value
    }
}

extension JSON {
    static func time(_ moment: Instant) -> JSON { .string(RFC3339.format(moment.microseconds)) }
    static func optionalTime(_ moment: Instant?) -> JSON { moment.map { time($0) } ?? .null }
    static func optionalInteger(_ value: (some BinaryInteger)?) -> JSON { value.map { .integer($0) } ?? .null }
}
