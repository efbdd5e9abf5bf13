// ActivityContract
