internal import Distributions
internal import Quantities

/// When the user of one device opens the app: a hurdle model by local day, over the history and the run.
///
/// Whether a local day is a day of use is a coin of the user's probability, which is drawn anew after exponential
/// times within the user's class. (Users do not move between classes, so that results by class mean something.) On a
/// day of use the opens lie on a circle that is the day measured in diurnal weight: a uniform start and then gaps
/// scaled to close the circle. So every gap distribution gives the hourly frequencies exactly, and exponential gaps
/// give independent opens.
struct OpensDraw {
  var stream: RandomStream
  let activeDay: Distribution
  let opensPerDay: Distribution

  init(_ userClass: UserClass, plan: LifePlan, stream: RandomStream) {
    self.stream = stream
    switch userClass {
    case .dormant:
      activeDay = plan.population.appUse.activeDayProbability.dormant
      opensPerDay = plan.population.appUse.opensOnActiveDay.dormant
    case .light:
      activeDay = plan.population.appUse.activeDayProbability.light
      opensPerDay = plan.population.appUse.opensOnActiveDay.light
    case .regular:
      activeDay = plan.population.appUse.activeDayProbability.regular
      opensPerDay = plan.population.appUse.opensOnActiveDay.regular
    case .heavy:
      activeDay = plan.population.appUse.activeDayProbability.heavy
      opensPerDay = plan.population.appUse.opensOnActiveDay.heavy
    }
  }

  /// Appends the opens of the local days `days` to `opens`, in order of time.
  ///
  /// - Parameters:
  ///   - days: local days.
  ///   - utcOffset: local time minus the run's time.
  ///   - plan: the population.
  ///   - opens: what to append to.
  ///   - gaps: memory to reuse.
  mutating func append(
    days: Range<Int>, utcOffset: SimDuration, plan: LifePlan, to opens: inout [SimTime],
    gaps: inout [Double]
  ) {
    var probability = activeDay.draw(&stream)
    var renewal = Double(days.lowerBound) * Clock.day + plan.population.appUse.persistence.draw(&stream)
    for day in days {
      let midnight = Double(day) * Clock.day
      while renewal <= midnight {
        probability = activeDay.draw(&stream)
        renewal += max(1, plan.population.appUse.persistence.draw(&stream))
      }
      guard stream.bernoulli(probability) else { continue }
      let count = max(1, Int(opensPerDay.draw(&stream)))
      let start = stream.uniform()
      let first = opens.count
      if count == 1 {
        append(at: start, day: day, utcOffset, plan, first, &opens)
        continue
      }
      gaps.removeAll(keepingCapacity: true)
      var total = 0.0
      for _ in 0..<count {
        total += max(plan.population.appUse.withinDayGap.draw(&stream), .leastNonzeroMagnitude)
        gaps.append(total)
      }
      for i in 0..<count {
        let share = start + gaps[i] / total
        append(at: share - share.rounded(.down), day: day, utcOffset, plan, first, &opens)
      }
    }
  }

  /// Puts one open of `day` in its place among those of the day, which begin at index `first`.
  private func append(
    at share: Double, day: Int, _ utcOffset: SimDuration, _ plan: LifePlan, _ first: Int,
    _ opens: inout [SimTime]
  ) {
    var timeOfDay = plan.timeOfDay(atWeightShare: share)
    // The run starts on a Monday.
    let weekday = ((day % 7) + 7) % 7
    if weekday >= 5, timeOfDay < plan.population.appUse.weekendShiftBefore {
      timeOfDay += plan.population.appUse.weekendShift
    }
    let time = SimTime.zero + SimDuration(seconds: Double(day) * Clock.day + timeOfDay) - utcOffset
    var index = opens.count
    opens.append(time)
    while index > first, opens[index - 1] > time {
      opens[index] = opens[index - 1]
      index -= 1
    }
    opens[index] = time
  }
}
