/// The languages that alerts are written in.
enum Language: String, CaseIterable {
    case english = "en"
    case russian = "ru"
    case polish = "pl"
    case croatian = "hr"

    /// The device's language if there are sentences in it, else the first of the app's locales that has any, else English.
    init(device: String?, app: [String]) {
        self = ([device].compactMap { $0 } + app).lazy.compactMap { Language(locale: $0) }.first ?? .english
    }

    /// Takes `pl`, `pl-PL` and `pl_PL` alike; nil for a language without sentences.
    private init?(locale: String) {
        let code = locale.prefix { !"-_@.".contains($0) }
        self.init(rawValue: code.lowercased())
    }
}

/// The plural categories of whole numbers (Unicode CLDR, "Language Plural Rules").
enum PluralForm {
    case one
    case few
    case many
    case other

    init(_ count: Int64, in language: Language) {
        let (tens, hundreds) = (count % 10, count % 100)
        let isTeen = (11...14).contains(hundreds)
        self =
            switch language {
            case .english: count == 1 ? .one : .other
            case .russian: tens == 1 && !isTeen ? .one : (2...4).contains(tens) && !isTeen ? .few : .many
            case .polish: count == 1 ? .one : (2...4).contains(tens) && !isTeen ? .few : .many
            case .croatian: tens == 1 && !isTeen ? .one : (2...4).contains(tens) && !isTeen ? .few : .other
            }
    }
}

extension Language {
    /// A number of minutes as it follows "in": Slavic languages put it in the accusative.
    func minutes(_ count: Int64) -> String { "\(count) \(minuteWord(PluralForm(count, in: self)))" }

    private func minuteWord(_ form: PluralForm) -> String {
        switch (self, form) {
        case (.english, .one): "minute"
        case (.english, .few), (.english, .many), (.english, .other): "minutes"
        case (.russian, .one): "минуту"
        case (.russian, .few): "минуты"
        case (.russian, .many), (.russian, .other): "минут"
        case (.polish, .one): "minutę"
        case (.polish, .few): "minuty"
        case (.polish, .many), (.polish, .other): "minut"
        case (.croatian, .one): "minutu"
        case (.croatian, .few): "minute"
        case (.croatian, .many), (.croatian, .other): "minuta"
        }
    }
}
