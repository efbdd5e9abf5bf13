extension AlertTemplates {
    static let russian = AlertTemplates(
        order: "Ваш заказ",
        orderFrom: { "Ваш заказ из «\($0)»" },
        courier: "Курьер",
        courierNamed: { "Курьер \($0)" },
        arrival: { "Прибудет через \($0)." },
        placed: Sentence("Заказ оформлен") { "\($0) оформлен." },
        accepted: Sentence("Заказ принят") { "\($0) готовится." },
        onTheWay: Sentence("Заказ в пути") { "\($0) уже в пути." },
        cancelled: Sentence("Заказ отменён") { "\($0) отменён." },
        attemptFailed: Sentence("Не удалось вручить заказ") { "\($0) не удалось вручить." },
        courierWaiting: Sentence("Курьер на месте") { "\($0) ждёт у двери." },
        delivered: Sentence("Заказ доставлен") { "\($0) доставлен." },
        failed: Sentence("Доставка не удалась") { "\($0) не удалось доставить." },
        returned: Sentence("Заказ возвращён") { "\($0) возвращён отправителю." }
    )
}
