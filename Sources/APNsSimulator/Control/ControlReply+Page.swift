extension ControlReply {
    /// The live page and what belongs to it; nil for other names.
    static func page(_ name: String?) -> ControlReply? {
        switch name {
        case nil, "index.html": page("text/html; charset=utf-8", PackageResources.phones_html)
        case "phones.css": page("text/css; charset=utf-8", PackageResources.phones_css)
        case "phones.js": page("text/javascript; charset=utf-8", PackageResources.phones_js)
        case _: nil
        }
    }

    private static func page(_ contentType: String, _ body: [UInt8]) -> ControlReply {
        ControlReply(contentType: contentType, body: body, headers: pageHeaders)
    }

    /// The page needs nothing from elsewhere, and nobody else may frame it. A newer simulator brings a newer page.
    private static let pageHeaders = [
        ControlHeader(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
                + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
        ControlHeader("X-Content-Type-Options", "nosniff"),
        ControlHeader("Cache-Control", "no-cache"),
    ]
}
