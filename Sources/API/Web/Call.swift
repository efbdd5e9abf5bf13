internal import HTTPServer
internal import JSONText
internal import Tracking

/// One admitted request: its route is known, its key was checked.
struct Call: Sendable {
    let request: HTTPRequest
    let parameters: [String: String]
    let query: Query
    /// nil on open routes, and where a signature stands in the place of a key.
    let admitted: Caller?
    let receivedAt: Int64

    /// The caller of a route that needs a key.
    var caller: Caller {
        get throws(Problem) {
            guard let admitted else { throw Problem(.unauthenticated) }
            return admitted
        }
    }

    /// A parameter of the route's path.
    func parameter(_ name: String) throws(Problem) -> String {
        guard let value = parameters[name] else { throw Problem(.notFound) }
        return value
    }

    var order: OrderID {
        get throws(Problem) { OrderID(try parameter("order")) }
    }

    var device: DeviceID {
        get throws(Problem) { DeviceID(try parameter("device")) }
    }

    var activity: ActivityID {
        get throws(Problem) { ActivityID(try parameter("activity")) }
    }

    /// The members of a JSON body that is no event, read and checked by `read`.
    func fields<Value>(_ read: (inout FieldReader) -> Value?) throws(Problem) -> Value {
        guard MediaType(request.headers.first("content-type") ?? "application/json")?.isJSON == true else {
            throw Problem(.unsupportedMediaType, "Send application/json.")
        }
        let body = try request.inflatedBody(limit: IngestLimits.eventBytes)
        let json = try JSON.parsePointingAtNul(body, invalid: .invalidRequest)
        guard let object = json.objectValue else {
            throw Problem(.invalidRequest, faults: [Fault("", .type, "Must be an object.")])
        }
        var reader = FieldReader(object)
        let value = read(&reader)
        guard reader.faults.isEmpty, let value else { throw Problem(.invalidRequest, faults: reader.faults) }
        return value
    }
}

/// Makes a call of a port, turning its refusal into a problem.
func asking<Value>(_ body: () async throws(Unavailable) -> Value) async throws(Problem) -> Value {
    do throws(Unavailable) {
        return try await body()
    } catch {
        throw Problem(error)
    }
}
