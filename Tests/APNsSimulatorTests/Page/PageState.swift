import JSONText
import Runtime
import Testing

@testable import APNsSimulator

/// A state of a phone, how real pushes and the person bring it about, and what the page must draw then.
enum PageState: String, CaseIterable, Sendable {
    case noCard
    case active
    case stale
    case ended
    case dismissed
    case twoCards
    case alertExpanded
    case offline
    case promptIgnored
    case activitiesOff
    case foreignType
    case notification
    case longNames

    /// Brings phone P1 into the state.
    func arrange(_ scene: PageScene) async throws {
        switch self {
        case .noCard: break
        case .active: try await scene.start()
        case .stale:
            try await scene.start(["stale-date": .integer(WallClock.seconds + 600)])
            try await scene.advance(seconds: 601)
        case .ended:
            try await scene.start()
            try await scene.change("end", ["content-state": scene.state("delivered")])
        case .dismissed:
            try await scene.start()
            try await scene.act("dismiss")
        case .twoCards:
            try await scene.start()
            try await scene.start(order: "O2", ["relevance-score": 50, "content-state": scene.state("accepted")])
        case .alertExpanded:
            try await scene.start()
            try await scene.settings(["alertSeconds": 3600])
            let alert: JSON = ["title": "Your courier is here", "body": "Nadia waits at the door"]
            try await scene.change("update", ["alert": alert, "content-state": scene.state("courier_waiting")])
        case .offline:
            try await scene.start()
            try await scene.act("offline")
            try await scene.change("update", ["content-state": scene.state("courier_waiting")])
        case .promptIgnored:
            try await scene.start()
            try await scene.change("update", ["content-state": scene.state("courier_waiting")])
        case .activitiesOff:
            try await scene.act("disable")
            try await scene.start()
        case .foreignType: try await scene.startRide()
        case .notification: try await scene.notify()
        case .longNames:
            var attributes = SimulatedWorld.attributes().objectValue ?? [:]
            attributes["restaurant"] = "Ristorante Pizzeria Trattoria Bella Napoli da Giovanni e Figli"
            attributes["displayNumber"] = "No. 1042-77 A"
            try await scene.start(["attributes": .object(attributes)])
        }
    }

    /// Expressions that must be true in the page.
    var drawn: [String] {
        switch self {
        case .noCard:
            [Self.island("none"), Self.nothing, "document.querySelector('.pushes').children.length === 0"]
        case .active:
            [
                Self.island("compact"), Self.text(".card.active .phase", "On the way"),
                Self.text(".card.active", "Trattoria"), Self.text(".island .trailing", ":"),
                Self.push("shown", "start"), "document.querySelectorAll('.card .bar i.on').length === 3",
            ]
        case .stale: [Self.island("compact"), Self.text(".card.stale .state", "Not up to date")]
        case .ended:
            [
                Self.island("none"), Self.text(".card.ended .phase", "Delivered"),
                Self.text(".card.ended .state", "Ended · goes at"), Self.push("shown", "end"),
            ]
        case .dismissed: [Self.island("none"), Self.nothing, Self.text(".facts", "order O1 dismissed at")]
        case .twoCards:
            [
                "document.querySelectorAll('.island.minimal').length === 2",
                "document.querySelectorAll('.card').length === 2",
                Self.text("[data-order=O2] .phase", "Being prepared"),
            ]
        case .alertExpanded:
            [
                Self.island("expanded"), Self.text(".island.expanded", "Your courier is here"),
                Self.text(".island.expanded", "Nadia waits at the door"),
            ]
        case .offline:
            [
                Self.text(".marks", "Offline"), Self.text(".card .phase", "On the way"),
                Self.push("stored", "kept by APNs"),
                "document.querySelector('[data-key=Online]').getAttribute('aria-checked') === 'false'",
            ]
        case .promptIgnored:
            [
                Self.text(".card .state", "Allow Live Activities?"), Self.text(".card .phase", "On the way"),
                Self.push("promptIgnored", "nobody has answered"),
                "document.querySelector('[data-action=allow]') !== null",
            ]
        case .activitiesOff:
            [
                Self.island("none"), Self.nothing, Self.text(".marks", "Live Activities off"),
                Self.push("activitiesDisabled", "Live Activities are off"),
            ]
        case .foreignType:
            [
                Self.island("compact"), Self.text(".card", "RideAttributes"), Self.text(".card .phase", "boarding"),
                Self.text(".card .members", "gate"),
            ]
        case .notification: [Self.text(".notice", "Your courier is here"), Self.nothing, Self.push("shown", "alert")]
        case .longNames:
            [
                Self.text(".card .number", "No. 1042-77 A"), Self.isWhole(".card .number"),
                "!" + Self.isWhole(".card .place"), Self.isOneLine(".card .number"), Self.isOneLine(".card .place"),
                "document.querySelector('.card .place').title.endsWith('e Figli')",
            ]
        }
    }

    private static let nothing = "document.querySelector('.card') === null"

    private static func island(_ mode: String) -> String { "document.querySelector('.island.\(mode)') !== null" }

    private static func text(_ selector: String, _ words: String) -> String {
        "(document.querySelector('\(selector)')?.textContent ?? '').includes('\(words)')"
    }

    private static func isWhole(_ selector: String) -> String {
        "(e => e.scrollWidth <= e.clientWidth)(document.querySelector('\(selector)'))"
    }

    private static func isOneLine(_ selector: String) -> String {
        "(e => e.clientHeight < 1.9 * parseFloat(getComputedStyle(e).fontSize))(document.querySelector('\(selector)'))"
    }

    /// The newest push in the page's log: what became of it, and words in its line.
    private static func push(_ why: String, _ words: String) -> String {
        text(".pushes li:first-child[data-why=\(why)]", words)
    }
}
