// PushDelivery
