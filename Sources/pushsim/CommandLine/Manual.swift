import ScenarioDecoding

/// The manual page, for `man`: written from the tables that the parser reads, in the macros that groff and mandoc know.
enum Manual {
  static var page: String {
    var page = """
      .TH PUSHSIM 1 "\(pushsimVersionDate)" "pushsim \(pushsimVersion)" "User Commands"
      .SH NAME
      pushsim \\- simulate how iOS decides to deliver background work
      .SH SYNOPSIS
      .B pushsim
      .I COMMAND
      [options]
      .SH DESCRIPTION
      .B pushsim
      reads a scenario in YAML and tells how much of its background work is
      delivered, how soon and at what cost, with intervals of confidence and with the
      reasons.
      .PP
      An option and its value are two words, or one word with \\(lq=\\(rq between them.
      What stands after \\(lq\\-\\-\\(rq is no option.
      .SH COMMANDS

      """
    for name in CommandName.allCases { page += section(name) }
    page += ".SH EXIT STATUS\n"
    for code in ExitCode.allCases { page += item("\(code.rawValue)", code.summary) }
    return page.split(separator: "\n").joined(separator: "\n") + "\n"
  }

  private static func section(_ name: CommandName) -> String {
    let command = name.description
    var text = ".SS pushsim \(name.rawValue)\n\(filled(command.summary)).PP\n"
    let words = [command.operands.usage].filter { !$0.isEmpty } + command.options.map(Usage.usage)
    text += "\\fBpushsim \(name.rawValue)\\fR\n" + filled(words.joined(separator: " "))
    for option in command.options { text += item(option.usage, option.summary) }
    if !command.notes.isEmpty { text += ".PP\n" }
    var paragraph = ""
    for line in command.notes.split(separator: "\n") {
      // A list that is introduced by a word has lines of its own.
      if line.split(separator: " ").first?.hasSuffix(":") == true {
        if !paragraph.isEmpty { text += filled(paragraph) + ".br\n" }
        paragraph = ""
      }
      paragraph += line + " "
    }
    text += filled(paragraph)
    for example in command.examples {
      text += ".PP\n.nf\n\(example.split(separator: "\n").map(roff).joined(separator: "\n"))\n.fi\n"
    }
    return text
  }

  /// Text in lines of less than 80 bytes; no line without a text.
  private static func filled(_ text: String) -> String {
    var lines: [String] = []
    // Backticks may hold several words.
    for word in roff(text).split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count < 80 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(word.hasPrefix(".") ? "\\&\(word)" : String(word))
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func item(_ term: String, _ text: String) -> String {
    ".TP\n\\fB\(roff(term))\\fR\n" + filled(text)
  }

  /// Text as roff reads it back: nothing in it is a request or an escape, and all of it is ASCII. What stands in backticks
  /// is set in bold.
  static func roff(_ text: some StringProtocol) -> String {
    var result = ""
    var isCode = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "`":
        isCode.toggle()
        result += isCode ? "\\fB" : "\\fR"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
