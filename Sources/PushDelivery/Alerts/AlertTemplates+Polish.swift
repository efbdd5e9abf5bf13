extension AlertTemplates {
    static let polish = AlertTemplates(
        order: "Twoje zamówienie",
        orderFrom: { "Twoje zamówienie z „\($0)”" },
        courier: "Kurier",
        courierNamed: { "Kurier \($0)" },
        arrival: { "Dotrze za \($0)." },
        placed: Sentence("Zamówienie złożone") { "\($0) zostało złożone." },
        accepted: Sentence("Zamówienie przyjęte") { "\($0) jest przygotowywane." },
        onTheWay: Sentence("Zamówienie w drodze") { "\($0) jest w drodze." },
        cancelled: Sentence("Zamówienie anulowane") { "\($0) zostało anulowane." },
        attemptFailed: Sentence("Nieudana próba doręczenia") { "\($0) nie mogło zostać przekazane." },
        courierWaiting: Sentence("Kurier jest na miejscu") { "\($0) czeka przy drzwiach." },
        delivered: Sentence("Zamówienie dostarczone") { "\($0) zostało dostarczone." },
        failed: Sentence("Dostawa nieudana") { "\($0) nie mogło zostać dostarczone." },
        returned: Sentence("Zamówienie zwrócone") { "\($0) zostało zwrócone nadawcy." }
    )
}
