import API
import HTTPServer
import JSONText
import Runtime
import Testing

@Suite struct AccessTests {
    let bench = Bench()

    @Test func `a key's text has a role, an id and a secret`() throws {
        let made = AccessKey.Text(newFor: .ingest)
        let read = try #require(AccessKey.Text(made.text))
        #expect(made.text.hasPrefix("dk_ingest_"))
        #expect(read.id == made.id)
        #expect(read.secretDigest == made.secretDigest)
        #expect(read.secretDigest != AccessKey.Text(newFor: .ingest).secretDigest)
        #expect(AccessKey.Text("dk_feed_7_a_b_c")?.secret == "a_b_c")
    }

    @Test(arguments: [
        "", "dk", "dk_ingest_1", "dk_ingest_1_", "dk_ingest__s", "dk_root_1_s", "xx_ingest_1_s", "dk_ingest_1_\u{0}",
    ])
    func `anything else is no key`(text: String) {
        #expect(AccessKey.Text(text) == nil)
    }

    @Test func `without a valid key nothing is answered`() async throws {
        let path = "/v1/orders/o-1"
        let answer = try await bench.send("GET", path)
        #expect(answer.status == 401)
        #expect(answer.slug == "unauthenticated")
        #expect(answer.headers.first("www-authenticate") == "Bearer")
        let good = bench.text(of: .support)
        let bad = [
            "Basic eDp5", "Bearer", "Bearer nonsense", "Bearer \(good)x", "Bearer \(good.dropLast())", good,
            "Bearer " + good.replacing("dk_support", with: "dk_supervisor"), "Bearer dk_support_unknown_secret",
        ]
        for header in bad {
            #expect(try await bench.send("GET", path, headers: [("Authorization", header)]).status == 401)
        }
        #expect(try await bench.send("GET", path, headers: [("authorization", "bEARER \(good)")]).status == 404)
        bench.revoke(.support)
        #expect(try await bench.send("GET", path, as: .support).status == 401)
    }

    // D33
    @Test func `a key is valid for its apps only, and the first is meant when none is named`() async throws {
        bench.allow(.ingest, apps: ["demo"])
        #expect(try await bench.post(event(), query: "?app=demo").json["app"] == "demo")
        let other = try await bench.post(event(), query: "?app=demo-early")
        #expect(other.status == 403)
        #expect(other.slug == "forbidden")
        bench.allow(.ingest, apps: ["demo-early", "demo"])
        #expect(try await bench.post(event()).json["app"] == "demo-early")
        #expect(try await bench.post(event(), query: "?app=demo").json["duplicate"] == true)
        bench.allow(.ingest, apps: [])
        #expect(try await bench.post(event()).status == 403)
    }

    @Test func `an ingest key posts for its sources only`() async throws {
        bench.service.state.withLock { $0.sources["other"] = SourceSettings() }
        bench.allow(.ingest, apps: ["demo"], sources: ["other"])
        let answer = try await bench.post(event())
        #expect(answer.status == 403)
        #expect(answer.slug == "forbidden")
        #expect(try await bench.post(event(["source": "other"])).status == 202)
        bench.allow(.ingest, apps: ["demo"])
        #expect(try await bench.post(event(["source": "never configured"])).status == 403)
    }

    @Test func `nobody posts in Doorstep's own name`() async throws {
        bench.service.state.withLock { $0.sources["doorstep/push"] = SourceSettings() }
        #expect(try await bench.post(event(["source": "doorstep/push"])).status == 403)
    }

    @Test(arguments: Route.allCases)
    func `each role reaches exactly the routes of the matrix`(route: Route) async throws {
        let path = route.path.replacing("{order}", with: "o").replacing("{device}", with: "d")
            .replacing("{activity}", with: "a").replacing("{customer}", with: "c")
        for role in Role.allCases {
            let answer = try await bench.send(route.method, path, as: role)
            switch route.access {
            case .open: #expect(answer.status == 200 || route == .getHook && answer.status == 404)
            case .roles(let roles) where roles.contains(role): #expect(answer.status != 401 && answer.status != 403)
            case .roles:
                #expect(answer.status == 403)
                #expect(answer.slug == "forbidden")
            }
        }
        let anonymous = try await bench.send(route.method, path)
        #expect((anonymous.status == 401) == (route.access != .open))
    }

    @Test func `the matrix in the documentation is the one in the code`() throws {
        let rows = try Repository.tableRows(of: "docs/access.md", firstCell: "`[A-Z]+ /[^`]*`")
        let written = rows.map { row in row.map { $0.replacing("`", with: "") } }
        let expected = Route.allCases.map { route in
            ["\(route.method) \(route.path)"]
                + Role.allCases.map { role in
                    switch route.access {
                    case .open: "open"
                    case .roles(let roles): roles.contains(role) ? "yes" : ""
                    }
                }
        }
        #expect(written == expected)
    }

    @Test func `no answer and no problem repeats a key or a token`() async throws {
        let token = String(repeating: "z", count: 64)
        let answer = try await bench.send(
            "PUT",
            "/v1/devices/d",
            as: .device,
            body: Array(#"{"pushToStartToken":"\#(token)","customer":7}"#.utf8)
        )
        #expect(answer.status == 422)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(token))
        let refused = try await bench.send(
            "GET",
            "/v1/orders/o",
            headers: [("Authorization", "Bearer dk_support_1_hush")]
        )
        #expect(!String(decoding: refused.body, as: UTF8.self).contains("hush"))
    }
}
