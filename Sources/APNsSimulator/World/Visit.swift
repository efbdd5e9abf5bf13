/// One request to APNs while it is being answered.
struct Visit: Sendable {
    let request: PushRequest
    let key: World.ConnectionKey
    let now: Moment
    var record: RequestRecord
    /// The scripted misbehaviour it met.
    var effect: Fault.Effect?
    var actions: [ConnectionAction] = []
    var success = PushReply.Success()
}
