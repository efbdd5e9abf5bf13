// PostgresStoreTests
