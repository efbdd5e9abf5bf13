import Tracking

/// What must hold once a history is at rest (engine rules, section 9).
extension World {
    mutating func expectTruth() {
        for (id, order) in orders {
            require(!order.hasPending(at: now, tokenWait: policy.tokenWait), "order \(id.value) is settled")
            require(order.settledVersion == order.version, "order \(id.value) is settled at its last fact")
            let facts = arrived[id] ?? []
            require(order.order == Order.fold(facts).order, "order \(id.value) is the fold of its facts")
            require(
                Order.fold(facts.reversed()).order == order.order,
                "order \(id.value) is the same fold in any order of arrival"
            )
            for card in order.activities { expectTruth(of: card, in: order) }
            expectCards(for: order)
        }
        for device in devices.values { expectNoLeak(device) }
        for phone in phones.values {
            for card in phone.cards { expectFewRings(card, on: phone) }
        }
    }

    private mutating func expectTruth(of card: Activity, in stream: OrderStream) {
        let onPhone = phones[card.device]?.cards.first { $0.id == card.activityID }
        let words = "order \(stream.id.value) \(card.device.value)/\(card.incarnation) \(card.state)"
        switch card.state {
        case .live where card.settings == nil:
            // Nobody of the order's customers was ever known to have this phone: its app's card is told nothing.
            require(onPhone?.digest == nil, "\(words): shows nothing of other people's orders")
        case .live:
            require(!stream.order.phase.isFinal, "\(words): a final order's card has ended")
            require(card.intention.map { $0.content.digest == card.shown?.digest } ?? true, "\(words): nothing owed")
            expectSame(onPhone, stream.content(at: now, policy: policy), words)
            require(onPhone?.isRunning == true, "\(words): runs on the phone")
        case .liveOnChannel where card.mustEnd != nil:
            // Its owner left while others listen: nobody tells what became of it on the phone.
            break
        case .liveOnChannel:
            require(!stream.order.phase.isFinal, "\(words): a final order's card has ended")
            expectSame(onPhone, stream.content(at: now, policy: policy), words)
            require(onPhone?.isRunning == true, "\(words): runs on the phone")
        case .ended, .dismissed:
            require(onPhone?.isRunning != true, "\(words): runs no more")
        case .none:
            expectReason(for: card, words)
        case .starting, .ending:
            // It was started while the switch was off, and nobody is logged in to say so.
            let known = Set(stream.activities.compactMap(\.activityID))
            let mayRun =
                phones[card.device]?.cards.contains {
                    $0.order == stream.id && $0.isRunning && !known.contains($0.id)
                } ?? false
            require(card.activityID == nil && !mayRun, "\(words): has no card on the phone")
        case .unreachable:
            // After a lost start that left no card; one whose token died has been registered anew.
            // One that turned up when its channel was gone can only be ended by its app, which is told so.
            require(card.activityID == nil || onPhone?.channel != nil, "\(words): no card on the phone")
        case .maybeStarted, .localOnly:
            require(false, "\(words): cleared by the running list")
        }
    }

    private mutating func expectSame(_ card: Phone.Card?, _ content: Content, _ words: String) {
        var shown = content
        shown.eta = card?.eta
        if card?.eta != nil, content.eta != nil { shown.isLate = card?.isLate ?? false }
        require(card?.digest == shown.digest, "\(words): shows the order as it is")
        let moved = (card?.eta?.seconds ?? 0) - (content.eta?.seconds ?? 0)
        require(abs(moved) < 60, "\(words): shows the arrival time to the minute")
    }

    private mutating func expectReason(for card: Activity, _ words: String) {
        let isFull = (devices[card.device]?.places.count ?? 0) >= policy.maxActivities
        require(card.reason != .refusedByDevice || isFull, "\(words): refused by a device that is full")
        require(
            ![.startRequested, .startInFlight].contains(card.reason),
            "\(words): no answer is awaited any more"
        )
    }

    /// Who may see an order that is on its way has a card of it, or there is a reason that lies outside of us.
    private mutating func expectCards(for stream: OrderStream) {
        guard !stream.order.phase.isFinal, [.onTheWay, .courierWaiting].contains(stream.order.phase) else { return }
        for phone in phones.values {
            guard let owner = phone.owner, stream.order.customers.contains(owner) else { continue }
            let newest = stream.activities.last { $0.device == phone.id }
            let words = "order \(stream.id.value) \(phone.id.value) \(newest?.reason.rawValue ?? "")"
            switch newest?.state {
            case nil:
                require(false, "\(words): everybody who may see it has a card, if only in the books")
            case .some(.none):
                let reasons: [Reason] = [
                    .startRefused, .refusedByDevice, .startBudgetSpent, .beforeSchedule, .etaUnknown, .tooOld,
                    .dismissed,
                    .otherCardRuns, .otherCardEnded,
                ]
                require(newest.map { reasons.contains($0.reason) } == true, "\(words): a reason for no card")
            case .ended(let why):
                let reasons: [EndReason] = [.unknown, .unconfirmed, .duplicate, .setting, .deadline, .lifetime]
                require(reasons.contains(why), "\(words): \(why) is no reason to be without a card")
            case .starting, .maybeStarted, .live, .liveOnChannel, .localOnly, .ending, .unreachable, .dismissed:
                break
            }
        }
    }

    /// Every place belongs to a card that runs or may yet.
    private mutating func expectNoLeak(_ device: DeviceStream) {
        for place in device.places {
            let card = orders[place.order]?.activities.first {
                $0.device == device.id && $0.incarnation == place.incarnation
            }
            let isUsed = card.map { !$0.state.isOver && ($0.state != .none || $0.grant == .granted) } == true
            require(isUsed, "\(device.id.value): the place of order \(place.order.value) is used")
        }
        require(Set(device.places).count == device.places.count, "\(device.id.value): one place a card")
    }

    private mutating func expectFewRings(_ card: Phone.Card, on phone: Phone) {
        let incarnation = orders[card.order]?.activities.first { $0.activityID == card.id }?.incarnation ?? 0
        var keys = [CardKey(order: card.order, device: phone.id, incarnation: incarnation)]
        if card.channel != nil { keys.append(.channel(of: card.order)) }
        for (kind, count) in card.rings {
            let mayRepeat = keys.contains { record.lostAlerts[$0]?.contains(Alerts(rawValue: kind)) ?? false }
            require(count <= (mayRepeat ? 2 : 1), "\(keys[0].words): each alert rings once")
        }
    }

    /// After half a day without a word no card is left that we know of.
    mutating func expectNothingLeft() {
        for (id, stream) in orders {
            for card in stream.activities {
                require(
                    card.state.isOver || card.state == .none,
                    "order \(id.value) \(card.device.value)/\(card.incarnation) \(card.state): ended in the end"
                )
            }
        }
    }
}
