// Shared by several test targets.
