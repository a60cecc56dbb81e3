/// The version that `pushsim --version` prints and every result carries. A result can be reproduced by the version
/// that made it, so the number changes with every release (`CHANGELOG.md`).
public let pushsimVersion = "0.1.0"

/// The day of that version, for the manual page.
public let pushsimVersionDate = "2026-11-30"
