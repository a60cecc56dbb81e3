import Foundation
import PushsimTestSupport
import Testing

@testable import pushsim

@Suite struct ShippedProfilesTests {
  @Test func `every profile of Scenarios is built in, byte for byte`() throws {
    for kind in ["policies", "populations"] {
      let folder = Simulation.packageRoot.appending(path: "Scenarios/\(kind)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasSuffix(".yaml")
      }
      let built = try #require(ShippedProfiles.names(in: "\(ShippedProfiles.directory)/\(kind)"))
      #expect(Set(built) == Set(names), "a new profile needs its rows in shipped_profiles.c")
      for name in names {
        let bytes = ShippedProfiles.bytes(at: "\(ShippedProfiles.directory)/\(kind)/\(name)")
        #expect(try bytes == Array(Data(contentsOf: folder.appending(path: name))), "\(name)")
      }
    }
  }

  @Test func `other folders are looked up on the disk`() {
    #expect(ShippedProfiles.names(in: "Scenarios/policies") == nil)
    #expect(ShippedProfiles.bytes(at: "Scenarios/policies/guide.yaml") == nil)
  }
}
