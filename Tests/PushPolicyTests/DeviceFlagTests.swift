import PushPolicy
import Quantities
import Testing

@Suite struct DeviceFlagTests {
  @Test func `every flag of the device's state has one row of words`() {
    let bits = DeviceFlag.all.map(\.state.rawValue).sorted()
    #expect(bits == (0..<UInt32(DeviceState.flagCount)).map { 1 << $0 })
  }

  @Test func `no two flags share a name in timelines or a key in scripts`() {
    let names = DeviceFlag.all.compactMap(\.timelineName)
    #expect(Set(names).count == names.count)
    let keys = DeviceFlag.scripted.map(\.script.key)
    #expect(Set(keys).count == keys.count)
    #expect(keys.contains("low_power_mode") && keys.contains("charger"))
  }

  @Test func `factors, fates and results are named as files write them`() {
    #expect(FactorID.cpuLoad.name == "cpu_load")
    #expect(FactorID.voipReport.name == "voip_report")
    #expect(LaunchResult.timedOut.name == "timed_out")
    #expect(ServiceExtension.Format.mpeg4Audio.name == "mpeg4_audio")
  }
}
