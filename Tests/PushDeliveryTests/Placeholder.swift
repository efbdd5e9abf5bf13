// PushDeliveryTests
