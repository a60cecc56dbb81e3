import Testing

@Suite struct PushPolicyPlaceholderTests {}
