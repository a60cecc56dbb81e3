import Testing

@Suite struct EventKernelPlaceholderTests {}
