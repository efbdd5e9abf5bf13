private import JSONText
import Tracking

extension Payload {
    /// An ordinary alert (Apple, "Generating a remote notification"): the words of the card's alert, and for the app that is
    /// opened by it which order it is about.
    static func alert(_ push: OutgoingPush, in app: AppRendering) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        json.name("aps")
        json.beginObject()
        if let alert = AlertText(push, removesCard: false, locales: app.locales) { json.alert(alert) }
        json.member("sound", "default")
        json.member("thread-id", push.thread)
        json.endObject()
        json.name("doorstep")
        json.beginObject()
        json.member("order", push.order.value)
        json.member("phase", push.intention.content.phase.name)
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
