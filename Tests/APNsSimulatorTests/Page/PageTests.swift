import JSONText
import Testing

@testable import APNsSimulator

/// The live page in a real browser.
@Suite(.serialized, .enabled(if: Browser.isInstalled, "browser")) struct PageTests {
    private static let ready = "document.querySelector('.device, .empty') !== null"

    @Test(arguments: PageState.allCases)
    func `the page draws what is on the phone`(state: PageState) async throws {
        var phone: JSONObject = ["id": "P1", "customer": "C1"]
        if state == .promptIgnored { phone["prompt"] = "ignored" }
        if state == .foreignType { phone["app"] = "rides" }
        try await PageScene.with(.object(phone)) { scene in
            try await state.arrange(scene)
            let steps: [Browser.Step] = [
                .window(width: 1280, height: 800), .dark(false), .wait(Self.ready), .picture("\(state)-light"),
                .dark(true), .picture("\(state)-dark"),
            ]
            let checks = state.drawn.map(Browser.Step.value)
            let results = try await Browser.open(scene.url, on: scene.running.loop, steps + checks)
            for (expression, result) in zip(state.drawn, results) { #expect(result == true, "\(expression)") }
            #expect(results.count == state.drawn.count)
        }
    }

    @Test func `without a phone it says what to do`() async throws {
        try await PageScene.with(nil) { scene in
            let results = try await Browser.open(
                scene.url,
                on: scene.running.loop,
                [.wait(Self.ready), .picture("empty-light"), .value("document.querySelector('.empty').textContent")]
            )
            let text = results.first?.stringValue ?? ""
            #expect(text.contains("No phones yet"))
            #expect(text.contains("curl -X POST \(scene.url)phones"))
        }
    }

    @Test func `the person's buttons do to the phone what they say`() async throws {
        try await PageScene.with { scene in
            try await scene.start()
            let presses: [Browser.Step] = [
                .wait(Self.ready), .click(".card [data-action=dismiss]"),
                .wait("document.querySelector('.card') === null"),
                .click("[data-action=force-quit]"),
                .wait("document.querySelector('.facts').textContent.includes('force-quit')"),
                .click("[data-key=Online]"), .wait("document.querySelector('[data-action=online]') !== null"),
                .click("[data-key='Live Activities']"),
                .wait("document.querySelector('[data-action=enable]') !== null"),
            ]
            _ = try await Browser.open(scene.url, on: scene.running.loop, presses)
            let phone = try await scene.phone()
            #expect(phone["cards"]?[0]?["state"] == "dismissed")
            #expect(phone["cards"]?[0]?["endedBy"] == "swipe")
            #expect(phone["appState"] == "forceQuit")
            #expect(phone["online"] == false)
            #expect(phone["activitiesEnabled"] == false)
        }
    }

    @Test func `it is played with the keyboard alone`() async throws {
        try await PageScene.with { scene in
            try await scene.start()
            let focused = "document.activeElement.getAttribute('aria-label')"
            // Past the field and its button, to the card and the phone.
            let steps: [Browser.Step] =
                [.wait(Self.ready)] + Array(repeating: .press("Tab"), count: 3) + [.value(focused)]
                + Array(repeating: .press("Tab"), count: 5) + [
                    .value(focused), .press("Space"), .wait("document.querySelector('[data-action=online]') !== null"),
                    .value(focused),
                ]
            let results = try await Browser.open(scene.url, on: scene.running.loop, steps)
            #expect(results == ["Dismiss the card of order O1", "Online, phone P1", "Online, phone P1"])
            #expect(try await scene.phone()["online"] == false)
        }
    }

    @Test func `nothing is drawn anew while it polls`() async throws {
        try await PageScene.with { scene in
            try await scene.start()
            let results = try await Browser.open(
                scene.url,
                on: scene.running.loop,
                [
                    .wait(Self.ready),
                    .value("window.before = [...document.querySelectorAll('#phones *')]; before.length > 20"),
                    .value(
                        "window.changes = 0; new MutationObserver(list => changes += list.filter(change => "
                            + "!change.target.parentElement?.closest('#totals')).length).observe(document.querySelector('main'), "
                            + "{subtree: true, childList: true, attributes: true}); true"
                    ),
                    .value("load().then(load).then(() => changes)"),
                    .click("[data-action=open]"),
                    .wait("document.querySelector('.facts').textContent.includes('app open')"),
                    .value("[...document.querySelectorAll('#phones *')].every((e, i) => e === before[i])"),
                ]
            )
            #expect(results == [true, true, 0, true])
        }
    }

    @Test(arguments: [(390, "narrow"), (1280, "wide")])
    func `one phone alone has the page to itself, on any screen`(width: Int, name: String) async throws {
        try await PageScene.with { scene in
            _ = try await scene.running.ask("POST", "/phones", ["id": "P2"])
            try await scene.start()
            try await scene.change("update", ["content-state": ["phase": "lost"]])
            let results = try await Browser.open(
                scene.url + "?phone=P1",
                on: scene.running.loop,
                [
                    .window(width: width, height: 844), .wait(Self.ready), .picture("one-\(name)"),
                    .value("document.querySelectorAll('.phone').length"),
                    .value("document.documentElement.scrollWidth <= \(width)"),
                    .value(
                        "[...document.querySelectorAll('button, a, input')].every(e => e.labels?.length || "
                            + "e.getAttribute('aria-label') || e.textContent.trim())"
                    ),
                    .value("document.querySelector('.pushes .why').textContent"),
                ]
            )
            #expect(results == [1, true, true, "decode failure: content-state: phase: unknown word"])
        }
    }

    @Test func `plain Chromium draws it as well`() async throws {
        try await PageScene.with { scene in
            try await scene.start()
            let arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", "--dump-dom"]
            let html = try await Browser.run("chromium", arguments + [scene.url], on: scene.running.loop)
            #expect(html.contains("Live Activity of order O1"))
        }
    }
}
