package import Tracking

extension Decision.Kind {
    /// What was decided, for people who do not know the rules.
    package var meaning: String {
        switch self {
        case .start: "A card is started on the phone."
        case .update: "The card gets a new state."
        case .refresh: "The card gets the same state again, so that the phone does not grey it or shows new minutes."
        case .markStale: "The card is told that what it shows can no longer be believed."
        case .end: "The card gets its last state and ends."
        case .alert: "An ordinary alert tells the phone what no card tells it."
        case .openChannel: "APNs is asked for a broadcast channel."
        case .closeChannel: "APNs is asked to delete the broadcast channel."
        case .wait: "Something is to be sent, but not yet."
        case .nothing: "There is nothing to send."
        }
    }
}

extension Reason {
    /// One sentence for people who do not know the rules. docs/reasons.md lists them all.
    package var meaning: String {
        switch self {
        case .phaseReached: "The order reached the phase from which a card may start."
        case .repeatAfterRefusal: "The start was refused or never left, so it is sent once more."
        case .repeatAfterMissing:
            "The answer to the start was lost and the app does not list the card, so it is sent once more."
        case .phaseChanged: "The order moved on to another phase."
        case .etaMoved: "The arrival time moved far enough, came, went, or became late or no longer late."
        case .detailsChanged: "Something else that the card shows has changed."
        case .tokenArrived: "The card's update token came, so the card gets the newest state."
        case .promiseBroken: "The arrival time has passed or nothing was heard for too long, so the card says so."
        case .confirmedAgain: "News came for a card that was shown as out of date."
        case .refresh: "News confirmed what the card shows; it is sent again before the phone greys it."
        case .minutesPassed: "The card shows minutes, and enough of them have passed."
        case .orderDelivered: "The order was delivered."
        case .orderCancelled: "The order was cancelled."
        case .orderFailed: "The order could not be delivered."
        case .orderReturned: "The order went back to the restaurant."
        case .ownerChanged: "The phone has another owner now, or the person logged out."
        case .activitiesDisabled: "The person switched Live Activities off."
        case .settingChanged: "The person changed the switch for frequent updates; iOS then ends all cards of the app."
        case .duplicateCard: "The phone had two cards for this order; one is enough."
        case .rolledOver: "The card lived nearly as long as iOS allows; the next one has taken over."
        case .deadlinePassed: "The order takes longer than a card may show it."
        case .lifetimeOver: "The card lived nearly as long as iOS allows."
        case .endedByStaff: "A member of staff ended the card."
        case .endRepeated: "Another card's push may have replaced the end on its way, so it is sent once more."
        case .cardSilent: "No card of the phone shows it yet; unless one does within seconds, an alert tells it."
        case .cardOutOfReach:
            "No card of the phone can be reached, or nobody knows whether there is one, so an alert tells it."
        case .channelWanted: "The first card of the order may start, and the app broadcasts."
        case .channelOver:
            "No card listens to the channel any more; it is kept for phones that were offline, then deleted."
        case .phoneJoined: "A phone began to listen with an older state than the newest, so all are told the newest."
        case .channelOpening: "The card listens to a channel that APNs has not made yet."
        case .toldByChannel: "The card listens to the order's channel, which tells it."
        case .beforeStartPhase: "The order has not reached the phase from which a card may start."
        case .beforeSchedule: "The order is for later; its card starts shortly before."
        case .startRequested: "The phone's own record is being asked whether there is room for another card."
        case .startBudgetSpent: "The phone has had as many starts as it may have for now."
        case .etaUnknown: "The app cannot show an unknown arrival time, so the card waits until there is one."
        case .startInFlight: "The start has left, and the answer of APNs is awaited."
        case .answerLost:
            "The answer to the last push was lost; nobody knows what the phone shows, so it is sent again."
        case .orderUnknown: "The app has a card for an order of which no event has come yet."
        case .tokenAwaited:
            "The app has not handed over the card's update token yet; without it nothing can reach the card."
        case .finishedBeforeStart: "The order was over before a card could start."
        case .noStartToken: "The app has not handed over a token with which cards can be started, or it died."
        case .switchedOff: "The person has switched Live Activities off."
        case .tooOld: "What happened is too long ago to start a card for it."
        case .refusedByDevice: "The phone has as many cards as it may have; this one starts when another ends."
        case .startRefused: "The start was sent twice and never answered with yes."
        case .nothingVisible: "The card would look the same."
        case .alreadyEnded: "The card has ended."
        case .dismissed: "The person swiped the card away; it does not come back."
        case .refusedForGood:
            "It was refused for good, by APNs or before it left; the answers say why. It is not offered again."
        case .appRunsIt: "The app runs this card itself and has handed over no token for it."
        case .appMayStart: "The app asked to start the card itself, so no push starts it for now."
        case .startedByAppOnly: "Cards of this app cannot be told apart by order, so only the app may start them."
        case .otherAttributesType:
            "The app on this phone names another type of attributes than the app's contract, and would drop the card."
        case .otherCardRuns: "Another card of this order runs on the phone."
        case .otherCardEnded: "Another card of this order ended in a way after which none is started by push."
        case .noDevice: "The phone does not belong to a customer of this order, or does so no more."
        case .fallbackOff: "The app's policy has no alerts in the place of cards."
        case .alertGiven: "An alert has told this, or may have; it is told once."
        case .alertOutdated: "What an alert would tell does not hold any more, or is too long ago."
        case .cardShowsIt: "A card of the phone shows it, so no alert is needed."
        case .noDeviceToken: "The app has not handed over a token with which alerts can be sent, or it died."
        case .notificationsOff: "The person has not allowed the app to notify, or the app has not said so."
        }
    }
}
