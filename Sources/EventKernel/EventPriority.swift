/// The order of events at one instant: lower classes are run first.
///
/// A small closed set, because bare numbers would leave it to chance who comes first when two parts of a model meet
/// at an instant.
@frozen
public enum EventPriority: UInt8, Sendable, CaseIterable {
  /// The world changes: charging starts, the network is lost. Whoever looks at this instant sees the change.
  case stateChange = 0
  /// Something reaches an entity: a push, an app's launch.
  case arrival = 1
  /// A rule is applied to the world as it is at this instant.
  case decision = 2
  /// The world is looked at and nothing is changed: a tally, a sample.
  case observation = 3
}
