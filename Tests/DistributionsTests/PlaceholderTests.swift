import Testing

@Suite struct DistributionsPlaceholderTests {}
