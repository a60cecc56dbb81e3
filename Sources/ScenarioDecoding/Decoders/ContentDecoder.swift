import PushModel
import Quantities

/// Reads when the server has something new, and how much of it.
enum ContentDecoder {
  static func content(_ mapping: MappingReader) -> ContentModel? {
    let updates = mapping.mapping("updates").flatMap(updates)
    let size = mapping.quantity("size")
    guard let updates, let size else { return nil }
    return ContentModel(updates: updates, size: Int64(size.rounded()))
  }

  private static func updates(_ mapping: MappingReader) -> ContentUpdates? {
    guard let way = mapping.exactlyOne(of: mapping.table.alternatives.flatMap(\.self)) else { return nil }
    if mapping.has("phase"), way != "every" {
      mapping.context.log.add(Messages.onlyWithEvery("phase", mapping.span(ofKey: "phase")))
    }
    switch way {
    case "poisson": return (mapping.mapping("poisson")?.quantity("rate")).map { .poisson(rate: $0) }
    case "daily": return mapping.mapping("daily").flatMap(daily)
    case "every":
      guard let interval = mapping.quantity("every"), let phase = mapping.quantity("phase") else {
        return nil
      }
      return .every(SimDuration(seconds: interval), phase: SimDuration(seconds: phase))
    case "at_server": return mapping.timesOfDay("at_server").map { .atServer($0) }
    case "csv": return mapping.value("csv").flatMap(listed).map { .at($0) }
    default: return mapping.times("at").map { .at($0) }
    }
  }

  private static func daily(_ mapping: MappingReader) -> ContentUpdates? {
    let rate = mapping.quantity("rate")
    guard let items = mapping.list("weights") else { return nil }
    let weights = items.compactMap { $0.quantity(.count, 0...1_000_000_000) }
    guard let rate, weights.count == items.count else { return nil }
    if weights.allSatisfy({ $0 == 0 }), let node = mapping.value("weights")?.node {
      mapping.context.log.add(Messages.allWeightsZero("`weights`", node.span.firstLine))
      return nil
    }
    return .daily(rate: rate, weights: weights)
  }

  /// The times of a file.
  private static func listed(_ value: ValueReader) -> [SimDuration]? {
    guard let column = CSVColumn.read(value, .time, range: MappingReader.timeRange, context: value.context)
    else { return nil }
    let times = column.map { SimDuration(seconds: $0.value) }
    for index in times.indices.dropFirst() where times[index] <= times[index - 1] {
      value.context.log.add(Messages.notAscending("the column", column[index].span))
      return nil
    }
    return times
  }
}

// Times that updates and sends have in common.
extension MappingReader {
  static let timeRange = 0.0...315_360_000

  /// A list of ascending times.
  func times(_ key: String) -> [SimDuration]? {
    guard let items = list(key) else { return nil }
    let times = items.compactMap { $0.quantity(.time, Self.timeRange).map(SimDuration.init(seconds:)) }
    guard times.count == items.count else { return nil }
    for (index, item) in items.enumerated().dropFirst() where times[index] <= times[index - 1] {
      context.log.add(Messages.notAscending(Messages.quoted(key), item.node.span))
      return nil
    }
    return times
  }

  /// A list of ascending times of the day.
  func timesOfDay(_ key: String) -> [SimDuration]? {
    guard let items = list(key) else { return nil }
    var times: [SimDuration] = []
    for item in items {
      guard let text = item.text() else { return nil }
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2 || parts.count == 3, parts.allSatisfy({ $0.count == 2 }),
        let numbers = Optional(parts.map { UInt8($0) }), !numbers.contains(nil),
        let hour = numbers[0], hour < 24, let minute = numbers[1], minute < 60,
        let second = numbers.count == 3 ? numbers[2] : 0, second < 60
      else {
        context.log.add(Messages.notATimeOfDay(item.label, item.node))
        return nil
      }
      let time = SimDuration.hours(Int64(hour)) + .minutes(Int64(minute)) + .seconds(Int64(second))
      if let last = times.last, time <= last {
        context.log.add(Messages.notAscending(Messages.quoted(key), item.node.span))
        return nil
      }
      times.append(time)
    }
    return times
  }
}
