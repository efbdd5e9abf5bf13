// PostgresStore
