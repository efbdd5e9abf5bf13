// TrackingTests
