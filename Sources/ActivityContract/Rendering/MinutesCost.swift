/// What a field that counts minutes costs in pushes.
package enum MinutesCost {
    /// Pushes for nothing but the passing of time, from `minutes` before the arrival on: the shown figure is renewed every
    /// 5 minutes, every 2 below 15, every minute below 5 (engine rule 4). An instant costs none: the phone counts itself.
    package static func pushes(from minutes: Int) -> Int {
        var left = minutes
        var pushes = 0
        while left > 0 {
            left -= left < 5 ? 1 : left < 15 ? 2 : 5
            pushes += 1
        }
        return pushes
    }
}
