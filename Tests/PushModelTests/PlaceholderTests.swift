import Testing

@Suite struct PushModelPlaceholderTests {}
