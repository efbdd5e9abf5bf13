// API
