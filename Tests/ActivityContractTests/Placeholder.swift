// ActivityContractTests
