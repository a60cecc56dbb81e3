internal import Distributions
internal import Quantities

/// The network of one device.
struct NetworkState {
  /// On Wi-Fi, or elsewhere.
  var onWiFi: Bool
  /// Cellular is down.
  var outage = false
  /// Airplane mode for the night.
  var airplane = false
  let hasCellular: Bool
  /// The user takes the device off the network in some nights, and if so switches it off.
  let offAtNight: Bool
  let poweredOffAtNight: Bool

  init(plan: LifePlan, traits: DeviceTraits, stream: inout RandomStream) {
    onWiFi = stream.bernoulli(plan.network(of: traits.kind).nightOnWiFi)
    let modem = stream.bernoulli(plan.population.ipad.cellularShare)
    hasCellular = traits.kind == .iphone || (traits.kind == .ipad && modem)
    offAtNight = stream.bernoulli(plan.population.connectivity.nightlyOffUsers)
    poweredOffAtNight = stream.bernoulli(plan.population.connectivity.nightlyOffPoweredOff)
  }
}

extension LifeRun {
  /// A stay on Wi-Fi or elsewhere ends.
  mutating func networkChanges(_ plan: LifePlan, _ life: inout Life) {
    move(onWiFi: !network.onWiFi, plan)
    planNextStay(plan)
    emit(&life)
  }

  private mutating func move(onWiFi: Bool, _ plan: LifePlan) {
    guard onWiFi != network.onWiFi else { return }
    network.onWiFi = onWiFi
    network.outage = false
    if onWiFi { cancel(.outage) } else { planNextOutage(plan) }
  }

  private mutating func planNextStay(_ plan: LifePlan) {
    let stay =
      network.onWiFi
      ? plan.population.connectivity.wifiDwell.draw(&networkStream)
      : plan.network(of: traits.kind).meanStayElsewhere * networkStream.unitExponential()
    schedule(.network, in: atLeastASecond(stay))
  }

  private mutating func planNextOutage(_ plan: LifePlan) {
    let hazard = plan.network(of: traits.kind).outageHazard
    guard network.hasCellular, hazard > 0 else { return }
    schedule(.outage, in: outageStream.unitExponential() / hazard)
  }

  mutating func outageChanges(_ plan: LifePlan, _ life: inout Life) {
    network.outage.toggle()
    if network.outage {
      let long = outageStream.bernoulli(plan.population.connectivity.longOutageShare)
      let length =
        long
        ? plan.population.connectivity.longOutage.draw(&outageStream)
        : min(
          plan.population.connectivity.shortOutage.draw(&outageStream),
          plan.population.connectivity.shortOutageLimit)
      schedule(.outage, in: length)
    } else {
      planNextOutage(plan)
    }
    emit(&life)
  }

  /// At bedtime: the night is spent on Wi-Fi or elsewhere as a whole.
  mutating func networkSleeps(_ plan: LifePlan) {
    cancel(.network)
    move(onWiFi: nightStream.bernoulli(plan.network(of: traits.kind).nightOnWiFi), plan)
  }

  mutating func networkWakes(_ plan: LifePlan) {
    network.airplane = false
    planNextStay(plan)
  }
}
