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

  init(plan: borrowing LifePlan, traits: DeviceTraits, stream: inout RandomStream) {
    onWiFi = stream.bernoulli(plan.network(of: traits.kind).nightOnWiFi)
    let modem = stream.bernoulli(plan.population.ipad.cellularShare)
    hasCellular = traits.kind == .iphone || (traits.kind == .ipad && modem)
    offAtNight = stream.bernoulli(plan.population.connectivity.nightlyOffUsers)
    poweredOffAtNight = stream.bernoulli(plan.population.connectivity.nightlyOffPoweredOff)
  }
}

extension LifeRun {
  /// A stay on Wi-Fi or elsewhere ends.
  mutating func networkChanges(_ plan: borrowing LifePlan, _ life: inout Life) {
    move(onWiFi: !network.onWiFi, plan)
    planNextStay(plan)
    emit(&life)
  }

  private mutating func move(onWiFi: Bool, _ plan: borrowing LifePlan) {
    guard onWiFi != network.onWiFi else { return }
    network.onWiFi = onWiFi
    network.outage = false
    if onWiFi { cancel(.outage) } else { planNextOutage(plan) }
  }

  private mutating func planNextStay(_ plan: borrowing LifePlan) {
    let stay =
      network.onWiFi
      ? plan.population.connectivity.wifiDwell.draw(&networkStream)
      : plan.network(of: traits.kind).meanStayElsewhere * networkStream.unitExponential()
    schedule(.network, in: max(1, stay))
  }

  private mutating func planNextOutage(_ plan: borrowing LifePlan) {
    let hazard = plan.network(of: traits.kind).outageHazard
    guard network.hasCellular, hazard > 0 else { return }
    schedule(.outage, in: networkStream.unitExponential() / hazard)
  }

  mutating func outageChanges(_ plan: borrowing LifePlan, _ life: inout Life) {
    network.outage.toggle()
    if network.outage {
      let long = networkStream.bernoulli(plan.population.connectivity.longOutageShare)
      let length =
        long
        ? plan.population.connectivity.longOutage.draw(&networkStream)
        : min(
          plan.population.connectivity.shortOutage.draw(&networkStream),
          plan.population.connectivity.shortOutageLimit)
      schedule(.outage, in: length)
    } else {
      planNextOutage(plan)
    }
    emit(&life)
  }

  /// At bedtime: the night is spent on Wi-Fi or elsewhere as a whole.
  mutating func networkSleeps(_ plan: borrowing LifePlan) {
    cancel(.network)
    move(onWiFi: networkStream.bernoulli(plan.network(of: traits.kind).nightOnWiFi), plan)
  }

  mutating func networkWakes(_ plan: borrowing LifePlan) {
    network.airplane = false
    planNextStay(plan)
  }
}
