import Distributions
import PushPolicy
import Quantities

// A launch from its start to its result.

extension Play {
  /// Launches the app, or hands over to an app in the front, for everything held and for `push`.
  mutating func launch(with push: Push?, isMust: Bool, at now: SimTime) {
    let handled = held.count + (push == nil ? 0 : 1)
    if !launcher.isRunning { startHandler(isBackground: !isMust, handled: handled, at: now) }
    // Pushes overtake each other on their way, so the newest need not be the last to arrive.
    answer(upTo: held.lastSent(or: push?.sent ?? .distantPast), at: now)
    for index in held.indices {
      held.countTime(of: index, until: now, in: &tally.held)
      deliver(held[index].push, at: now)
    }
    held.clear()
    if let push { deliver(push, at: now) }
  }

  mutating func startHandler(
    isBackground: Bool, handled: Int, task: TaskMechanism? = nil, at now: SimTime
  ) {
    content.follow(setting.updates, until: now)
    var stream: RandomStream
    let coin: Double
    let (wanted, limit): (Double, Double)
    if let task {
      stream = streams.stream(device: device, .handler(tasks.run(task)), lane: Self.lane(task))
      coin = stream.uniform()
      (wanted, limit) = taskTimes(task, &stream)
    } else {
      let number = launcher.takeNumber()
      stream = streams.stream(device: device, .handler(number))
      coin = stream.uniform()
      wanted = setting.handlerDuration.draw(&stream)
      limit = grantedTime(number + 1)
    }
    var handler = Handler()
    handler.task = task
    handler.isBackground = isBackground
    handler.version = content.latest
    handler.counts = measures(now)
    handler.settle(
      wanted: wanted, limit: limit, coin: coin,
      hasDefects ? handlerShares(setting.app.results, at: now) : setting.app.results,
      isReachable: state.isReachable,
      findsNothing: setting.hasContent && content.isFresh)
    handler.isExcused =
      handler.result == .timedOut && wanted < setting.policy.execution(of: task).limit
    handler.ends = now + handler.runTime
    handler.energy = energy.launch(state, counts: handler.counts, at: now)
    launcher.start(handler)
    if isBackground {
      if task == nil {
        app.pointee.recordLaunch(at: now)
        if tasks.refresh != nil { tasksSeeLaunch(at: now) }
      } else {
        app.pointee.recordTaskLaunch(at: now)
      }
      if handler.counts { tally.wakes += 1 }
      tally.daily.count(.wakes, at: now)
    } else if handler.counts {
      tally.launchesInForeground += 1
    }
    trace(
      now, nil,
      .launched(
        inForeground: !isBackground, result: handler.result, runTime: handler.runTime, handled: handled))
  }

  /// The app is ended from outside.
  mutating func stopHandler(at now: SimTime) {
    guard launcher.isRunning else { return }
    let runTime = launcher.runTime(at: now)
    let ended = launcher.end()
    if let task = ended.task, ended.counts {
      tally.tasks[Int(task.rawValue)].results[Int(LaunchResult.killed.rawValue)] += 1
    }
    _ = spentOnLaunch(ended, runTime, loads: false)
  }

  /// The launch that ended has run for so long.
  ///
  /// - Returns: what it cost in all. Unit: microjoules.
  mutating func spentOnLaunch(_ launch: Handler, _ runTime: SimDuration, loads: Bool) -> Int64 {
    var spent = launch.energy + energy.run(runTime, state, counts: launch.counts)
    if loads, !usesDownloads {
      spent += energy.download(state, counts: launch.counts)
    }
    if launch.isBackground, launch.counts { energy.wake(spent) }
    return spent
  }

  mutating func endHandler(at now: SimTime) {
    let ended = launcher.end()
    let spent = spentOnLaunch(ended, ended.runTime, loads: ended.brings)
    if ended.result == .newData || ended.result == .noData { acknowledge(at: now) }
    if let task = ended.task {
      recordTask(task, ended, at: now)
    } else if ended.isBackground, !ended.isExcused {
      app.pointee.recordResult(ended.result, runTime: ended.runTime, at: now)
    }
    if ended.brings, ended.version > content.version {
      let wake = ended.isBackground ? Wake(counts: ended.counts, energy: spent) : nil
      if usesDownloads {
        startDownload(ended.version, inFront: !ended.isBackground, wake: wake, at: now)
      } else {
        take(ended.version, wake)
      }
    }
    trace(now, nil, .handlerEnded(ended.result, reputation: app.pointee.memory.feedback.reputation))
  }

  /// The app has a version; of a launch in the background it is to be seen whether anybody ever sees it.
  mutating func take(_ version: Int, _ wake: Wake?) {
    let seen = content.take(version, wake, isInFront: state.contains(.inFront))
    if let seen { count(useful: seen) }
  }

  mutating func deliver(_ push: Push, at now: SimTime) {
    if push.counts {
      tally.results[Int(launcher.handler.result.rawValue)] += 1
      if !launcher.handler.isBackground { tally.deliveredInForeground += 1 }
    }
    countDelivered(push, at: now)
  }
}
