// APNsTests
