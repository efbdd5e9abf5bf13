// APNsSimulatorTests
