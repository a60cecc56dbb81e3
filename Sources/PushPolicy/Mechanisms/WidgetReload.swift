import Quantities

/// **What it models.** A push of the type `widgets`, which makes the system reload the timelines of the app's widgets.
///
/// **Rule.** A reload draws on a budget of the widget; while the app is in the front it is free (WG2). What finds the budget
/// used up waits for the next place in it (WG3), and a newer push takes its place, since one reload shows the newest.
///
/// **Interactions.** None: the app is not launched, so it may be force-quit, and nothing that delays a launch is asked (WG1).
///
/// **Scope and limitations.** The user has one widget of the app on the screen. How often it is looked at, which Apple says
/// the budget follows, and reloads that no push asks for are not modelled.
///
/// **Validation.** `WidgetReports`: WG1 to WG3.
///
/// **Sources.** WG1 to WG3.
public struct WidgetReload: Sendable {
  /// How many reloads the system grants. Unit: per second.
  public var rate = 0.0
  /// Reloads in a row.
  public var burst = 1.0
  /// The first system version with such pushes.
  public var since = 1000.0

  public init() {}

  static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "widget.rate", .number(.rate, 0...1, \.widget.rate), "reloads of a widget that the system grants"),
    ParameterKey(
      "widget.burst", .number(.count, 1...1000, \.widget.burst),
      "reloads of a widget in a row, after a time without"),
    ParameterKey(
      "widget.since", .number(.count, 1...1000, \.widget.since),
      "first system version that reloads a widget by push"),
  ]
}
