import Testing

@Suite struct ScenarioDecodingPlaceholderTests {}
