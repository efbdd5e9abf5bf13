internal import HTTPServer

/// Answers that never change while a process runs.
enum Pages {
    static let openAPI = HTTPResponse(
        status: 200,
        headers: [HTTPField("Content-Type", "application/yaml")],
        body: .bytes(PackageResources.openapi_yaml)
    )

    /// Names the routes, for a person who opens the address in a browser.
    static let index = HTTPResponse(
        status: 200,
        headers: [
            HTTPField("Content-Type", "text/html; charset=utf-8"),
            HTTPField("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
        ],
        body: .bytes(Array(page.utf8))
    )

    private static var page: String {
        let rows = Route.allCases.map { "<tr><td>\($0.method)<td><code>\($0.path)</code>" }
        return """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><title>Doorstep</title>
            <style>body{font:16px system-ui;margin:3em auto;max-width:44em}td{padding:.2em 1em .2em 0}</style>
            <h1>Doorstep</h1>
            <p>Order events in, Live Activities out. The whole interface is described in
            <a href="/openapi.yaml">openapi.yaml</a>.</p>
            <table>\(rows.joined(separator: "\n"))</table>
            </html>

            """
    }
}
