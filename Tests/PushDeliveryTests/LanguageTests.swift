import Testing
import Tracking

@testable import PushDelivery

/// Alerts in every language: whole, short enough, and with the right form of the noun.
@Suite struct LanguageTests {
    @Test(arguments: [
        (
            Language.english,
            [
                "0 minutes", "1 minute", "2 minutes", "5 minutes", "11 minutes", "21 minutes", "22 minutes",
                "25 minutes", "111 minutes",
            ]
        ),
        (
            .russian,
            [
                "0 минут", "1 минуту", "2 минуты", "5 минут", "11 минут", "21 минуту", "22 минуты", "25 минут",
                "111 минут",
            ]
        ),
        (
            .polish,
            [
                "0 minut", "1 minutę", "2 minuty", "5 minut", "11 minut", "21 minut", "22 minuty", "25 minut",
                "111 minut",
            ]
        ),
        (
            .croatian,
            [
                "0 minuta", "1 minutu", "2 minute", "5 minuta", "11 minuta", "21 minutu", "22 minute", "25 minuta",
                "111 minuta",
            ]
        ),
    ])
    func `minutes take the plural form of their number`(language: Language, expected: [String]) {
        #expect([0, 1, 2, 5, 11, 21, 22, 25, 111].map { language.minutes($0) } == expected)
    }

    @Test(arguments: [12, 13, 14, 112, 113, 114])
    func `teens are many`(count: Int64) {
        #expect(PluralForm(count, in: .russian) == .many)
        #expect(PluralForm(count, in: .polish) == .many)
        #expect(PluralForm(count, in: .croatian) == .other)
        #expect(PluralForm(count, in: .english) == .other)
    }

    @Test(
        arguments: [
            ("pl-PL", [], Language.polish), ("pl_PL", ["ru"], .polish), ("HR", ["ru"], .croatian),
            ("ru_RU@calendar=gregorian", [], .russian), ("fr-FR", ["de", "hr-HR", "pl"], .croatian),
            (nil, ["ru"], .russian),
            (nil, ["fr"], .english), ("", [], .english), ("rum", [], .english), ("en-GB", ["pl"], .english),
        ] as [(String?, [String], Language)]
    )
    func `the device's language comes first, then the app's, then English`(
        device: String?,
        app: [String],
        language: Language
    ) {
        #expect(Language(device: device, app: app) == language)
    }

    @Test func `the whole push speaks the device's language`() throws {
        var push = sample(.start)
        push.intention.settings.locale = "pl-PL"
        let alert = try #require(AlertText(push, removesCard: false, locales: ["ru"]))
        #expect(alert.title == "Zamówienie w drodze")
        #expect(alert.body == "Twoje zamówienie z „\u{2068}Luca\u{2069}” jest w drodze. Dotrze za 10 minut.")
    }

    /// What an alert may be about: the verb, the alerts, the phase, and whether the card goes without a word.
    private static let kinds: [(Verb, Alerts, Phase, removes: Bool)] = [
        (.start, .start, .placed, false), (.start, .start, .accepted, false), (.start, .start, .onTheWay, false),
        (.start, .start, .courierWaiting, false), (.update, .courierWaiting, .courierWaiting, false),
        (.update, .attemptFailed, .onTheWay, false), (.end, .cancelled, .cancelled, false),
        (.end, [], .cancelled, true), (.end, [], .delivered, true), (.end, [], .failed, true),
        (.end, [], .returned, true),
    ]

    @Test(arguments: Language.allCases, kinds.indices)
    func `every alert is whole, names and all`(language: Language, kind: Int) throws {
        let (verb, alerts, phase, removes) = Self.kinds[kind]
        for name in [nil, "Luca", String(repeating: "W", count: 300)] {
            let push = sample(verb) {
                $0.intention.alerts = alerts
                $0.intention.content = Content(phase: phase, eta: now + .seconds(6_660), courierName: name)
                $0.intention.attributes.restaurant = name
                $0.intention.settings.locale = language.rawValue
            }
            let alert = try #require(AlertText(push, removesCard: removes, locales: []))
            #expect(!alert.title.isEmpty && alert.title.count <= 40, "\(alert.title)")
            #expect(alert.body.count <= 110, "\(alert.body)")
            // Nothing of the sentence was cut, and what was isolated is closed.
            #expect(alert.body.hasSuffix("."), "\(alert.body)")
            #expect(alert.body.contains("\u{2068}") == (name != nil))
            #expect(alert.body.contains("\u{2069}") == (name != nil))
            #expect(!alert.title.contains("\u{2026}"))
        }
    }

    @Test func `no two languages share a sentence`() {
        for kind in [
            \AlertTemplates.placed, \.accepted, \.onTheWay, \.cancelled, \.attemptFailed, \.courierWaiting,
            \.delivered, \.failed, \.returned,
        ] {
            let titles = Language.allCases.map { AlertTemplates.of($0)[keyPath: kind].title }
            let bodies = Language.allCases.map { AlertTemplates.of($0)[keyPath: kind].body("") }
            #expect(Set(titles).count == titles.count)
            #expect(Set(bodies).count == bodies.count)
        }
    }

    @Test(arguments: [nil, Duration.zero, .seconds(-60), .seconds(7_201)])
    func `an arrival that is unknown, past or far is not counted in minutes`(wait: Duration?) throws {
        let push = sample(.start) { $0.intention.content.eta = wait.map { now + $0 } }
        let body = try #require(AlertText(push, removesCard: false, locales: [])?.body)
        #expect(body.hasSuffix("is on its way."))
    }

    @Test func `a card that goes while the order lives is quiet`() {
        let push = sample(.end) { $0.intention.content = Content(phase: .onTheWay) }
        #expect(AlertText(push, removesCard: true, locales: []) == nil)
    }

    @Test func `a start of an order that is over speaks all the same`() throws {
        let push = sample(.start) { $0.intention.content = Content(phase: .delivered) }
        #expect(try #require(AlertText(push, removesCard: false, locales: [])).title == "On the way")
    }
}
