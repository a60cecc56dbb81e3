import Glibc

// Prints the table of Documentation/Coverage.md; the status is 1 if a row is not as claimed.

func fixed(_ value: Double, _ decimals: Int) -> String {
  let scale = decimals == 0 ? 1 : decimals == 1 ? 10.0 : 100
  let whole = Int((value * scale).rounded())
  if decimals == 0 { return "\(whole)" }
  let rest = String(whole % Int(scale))
  return "\(whole / Int(scale))." + String(repeating: "0", count: decimals - rest.count) + rest
}

func line(_ row: Coverage) -> String {
  let claim =
    switch row.claim {
    case .nominal: "93.5–96.5"
    case .atLeast: "≥ 95"
    case .shown: "–"
    }
  let verdict = row.isAsClaimed ? "" : " **no**"
  return "| \(row.kind) | \(row.model) | \(fixed(row.replications, 0)) | \(row.trials) "
    + "| \(fixed(row.share * 100, 2)) | \(claim)\(verdict) |"
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "plausible", let trials = Int(arguments.dropFirst().first ?? "400"), trials >= 1 {
  exit(try PlausibleStudy(trials: trials).print() ? 0 : 1)
}
guard let trials = Int(arguments.first ?? "10000"), trials >= 1, arguments.count <= 1 else {
  let usage = "usage: pushsim-coverage [EXPERIMENTS] | plausible [TRIALS]\n"
  _ = write(STDERR_FILENO, usage, usage.utf8.count)
  exit(64)
}
print("| what | model | replications | experiments | right, % | claimed, % |")
print("|---|---|---:|---:|---:|---:|")
let rows = Study(trials: trials).rows {
  print(line($0))
}
exit(rows.allSatisfy(\.isAsClaimed) ? 0 : 1)
