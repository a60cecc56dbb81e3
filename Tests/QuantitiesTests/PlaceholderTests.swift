import Testing

@Suite struct QuantitiesPlaceholderTests {}
