private import JSONText

extension World {
    /// The next request of a phone that stood in the queue; nil when it has nothing to say, or no network.
    mutating func nextCall(of caller: Caller, at now: Moment) -> DoorstepCall? {
        guard caller.epoch == epoch,
            let call = phones[caller.phone].calls.begin(isOnline: phones[caller.phone].isOnline)
        else { return nil }
        let app = apps[phones[caller.phone].app]
        let types = schemas(of: caller.phone).map(\.attributesType)
        let (method, path, body) = phones[caller.phone].request(for: call, types: types, at: now)
        return DoorstepCall(
            caller: caller,
            call: call,
            method: method,
            path: path + "?app=" + app.id,
            body: body?.serialized() ?? []
        )
    }

    /// What to do after a call whose answer had this status, nil when there was none: nil is nothing, else wait for
    /// the back-off of so many failures, then `retry`.
    mutating func finished(_ call: DoorstepCall, status: Int?, body: [UInt8], at now: Moment) -> Int? {
        guard call.caller.epoch == epoch else { return nil }
        let index = call.caller.phone
        // A 410 says that Doorstep knows the token to be dead: the app can do nothing about it.
        let isDone = status.map { (200..<300).contains($0) || $0 == 410 } ?? false
        if isDone, call.call == .running { endUnwanted(body, on: index, at: now) }
        switch phones[index].calls.finish(isDone ? .done : .failed) {
        case .rest: return nil
        case .queue:
            callers.append(call.caller)
            return nil
        case .wait(let failures): return failures
        }
    }

    /// The back-off is over.
    mutating func retry(_ caller: Caller) {
        guard caller.epoch == epoch, phones[caller.phone].calls.retry() else { return }
        callers.append(caller)
    }

    private mutating func endUnwanted(_ body: [UInt8], on index: Int, at now: Moment) {
        guard let activities = (try? JSON.parse(body))?["end"]?.arrayValue else { return }
        let calls = phones[index].endByApp(activities: Set(activities.compactMap(\.stringValue)), at: now)
        tell(calls, from: index)
    }
}
