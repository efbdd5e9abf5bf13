extension AlertTemplates {
    static let croatian = AlertTemplates(
        order: "Vaša narudžba",
        orderFrom: { "Vaša narudžba iz „\($0)”" },
        courier: "Dostavljač",
        courierNamed: { "Dostavljač \($0)" },
        arrival: { "Stiže za \($0)." },
        placed: Sentence("Narudžba zaprimljena") { "\($0) je zaprimljena." },
        accepted: Sentence("Narudžba prihvaćena") { "\($0) se priprema." },
        onTheWay: Sentence("Narudžba je na putu") { "\($0) je na putu." },
        cancelled: Sentence("Narudžba otkazana") { "\($0) je otkazana." },
        attemptFailed: Sentence("Neuspjeli pokušaj dostave") { "\($0) nije mogla biti uručena." },
        courierWaiting: Sentence("Dostavljač je stigao") { "\($0) čeka pred vratima." },
        delivered: Sentence("Narudžba dostavljena") { "\($0) je dostavljena." },
        failed: Sentence("Dostava nije uspjela") { "\($0) nije mogla biti dostavljena." },
        returned: Sentence("Narudžba vraćena") { "\($0) je vraćena pošiljatelju." }
    )
}
