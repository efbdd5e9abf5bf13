#if canImport(ActivityKit)
public import ActivityKit

extension DoorstepAttributes: ActivityAttributes {}
#endif
