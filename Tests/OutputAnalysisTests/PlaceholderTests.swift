import Testing

@Suite struct OutputAnalysisPlaceholderTests {}
