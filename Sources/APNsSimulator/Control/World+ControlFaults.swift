internal import JSONText

extension World {
    mutating func faults(_ request: ControlRequest, at now: Moment) throws(ControlProblem) -> ControlReply {
        switch request.method {
        case "GET": return .json(["items": .array(faults.faults.map(\.json))])
        case "POST":
            let make = try Fault.reading(request.json(), at: now.wall)
            return .json(faults.add(make).json, status: 201)
        case "DELETE":
            faults.removeAll()
            return .noContent
        case _: throw Self.notAllowed(request)
        }
    }

    mutating func removeFault(_ id: String, _ request: ControlRequest) throws(ControlProblem) -> ControlReply {
        guard request.method == "DELETE" else { throw Self.notAllowed(request) }
        guard let number = Int(id), faults.remove(number) else { throw ControlProblem(404, "no such fault") }
        return .noContent
    }
}
