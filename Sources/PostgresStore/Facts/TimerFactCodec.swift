internal import JSONText
package import Tracking

/// The fact that a timer rang: of a card, or of the order itself where it names no device.
package enum TimerFactCodec {
    package static func body(_ timer: TimerRang) -> [UInt8] {
        let body: JSON = [
            "device": timer.device.map { .string($0.value) } ?? .null, "incarnation": .integer(timer.incarnation),
            "timer": .string(timer.kind.name), "generation": .integer(timer.generation),
        ]
        return body.serialized()
    }

    /// The id within the order's stream: a timer of one generation rings once.
    package static func id(_ timer: TimerRang) -> String {
        "\(timer.device?.value ?? "")/\(timer.incarnation)/\(timer.generation)"
    }

    static func timer(_ members: Members, at recordedAt: Instant) throws(FactError) -> TimerRang {
        guard let kind = TimerKind(name: try members.text("timer")) else { throw FactError(.badValue, "timer") }
        return TimerRang(
            device: members.optionalText("device").map { DeviceID($0) },
            incarnation: try members.integer("incarnation"),
            kind: kind,
            generation: try members.integer("generation"),
            at: recordedAt
        )
    }
}
