import Testing

@Suite struct EndToEndPlaceholderTests {}
