/// Scripts that make a shell complete commands, options and values. They are made of the commands' descriptions, so that
/// a new option is in them by itself.
struct Completion {
  enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  /// Names of policies.
  let policies: [String]
  /// Paths for `--set`.
  let keys: [String]

  func script(_ shell: Shell) -> String {
    let head =
      "# Completion of pushsim for \(shell.rawValue), printed by `pushsim completion \(shell.rawValue)`.\n"
    return switch shell {
    case .bash: head + bash
    case .zsh: "#compdef pushsim\n" + head + zsh
    case .fish: head + fish
    }
  }

  private var commands: [(name: CommandName, description: CommandDescription)] {
    CommandName.allCases.map { ($0, $0.description) }
  }

  /// The options that every command takes, beside those of its table.
  private static let help = "--help"

  private static func single(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  // MARK: - bash

  /// For bash 3.2, which macOS has, and later.
  private var bash: String {
    """
    _pushsim_words() {
      local IFS=$' \\t\\n'
      COMPREPLY=($(compgen -W "$1" -- "$2"))
    }
    _pushsim_paths() {
      local IFS=$'\\n'
      COMPREPLY=($(compgen "$1" -- "$2"))
      compopt -o filenames 2>/dev/null || :
    }
    _pushsim_keys() {
      _pushsim_words '\(keys.map { $0 + "=" }.joined(separator: "\n    "))' "$1"
      compopt -o nospace 2>/dev/null || :
    }
    _pushsim() {
      local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
      COMPREPLY=()
      if ((COMP_CWORD == 1)); then
        _pushsim_words '\(commands.map(\.name.rawValue).joined(separator: " ")) --help --version' "$word"
        return
      fi
      # The `=` between an option and its value is a word of its own.
      if [[ $word == = ]]; then
        word=
      elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
        [[ $before == --* ]] || return 0
      fi
      case ${COMP_WORDS[1]} in
    \(commands.map(bashCase).joined())  esac
    }
    complete -F _pushsim pushsim

    """
  }

  private func bashCase(_ name: CommandName, _ command: CommandDescription) -> String {
    var text = "  \(name.rawValue))\n"
    let valued = command.options.filter { $0.placeholder != nil }
    if !valued.isEmpty {
      text += "    case $before in\n"
      for option in valued { text += "    \(option.name)) \(bashOffer(option.hint)); return ;;\n" }
      text += "    esac\n"
    }
    let names = (command.options.map(\.name) + [Self.help]).joined(separator: " ")
    text += "    case $word in\n    -*) _pushsim_words '\(names)' \"$word\" ;;\n"
    return text + "    *) \(bashOffer(command.operandHint)) ;;\n    esac ;;\n"
  }

  private func bashOffer(_ hint: ValueHint) -> String {
    switch hint {
    case .nothing: ":"
    case .words(let words): "_pushsim_words '\(words.joined(separator: " "))' \"$word\""
    case .policies: bashOffer(.words(policies))
    case .files: "_pushsim_paths -f \"$word\""
    case .folders: "_pushsim_paths -d \"$word\""
    case .keys: "_pushsim_keys \"$word\""
    }
  }

  // MARK: - zsh

  private var zsh: String {
    """
    _pushsim_keys() {
      compadd -S '' -- \(keys.map { $0 + "=" }.joined(separator: " \\\n    "))
    }
    _pushsim() {
      local state
      local -a commands
      commands=(
    \(commands.map { "    \(Self.single("\($0.name.rawValue):\($0.description.summary)"))\n" }.joined())  )
      _arguments -C '(- *)'{-h,--help}'[show help]' '(- *)'{-V,--version}'[print the version]' \\
        '1:command:->command' '*::argument:->argument'
      case $state in
      command) _describe command commands ;;
      argument)
        case $words[1] in
    \(commands.map(zshCase).joined())    esac ;;
      esac
    }
    if [[ ${funcstack[1]} == _pushsim ]]; then _pushsim "$@"; else compdef _pushsim pushsim; fi

    """
  }

  private func zshCase(_ name: CommandName, _ command: CommandDescription) -> String {
    func escaped(_ text: String) -> String {
      text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
    var specs = command.options.map { option in
      let value = option.placeholder.map {
        "=[\(escaped(option.summary))]:\(escaped($0)):\(zshOffer(option.hint))"
      }
      return (option.mayRepeat ? "*" : "") + option.name + (value ?? "[\(escaped(option.summary))]")
    }
    specs.append("(- *)\(Self.help)[show help]")
    if command.operands != .none {
      specs.append("*:\(escaped(command.operands.usage)):\(zshOffer(command.operandHint))")
    }
    let lines = specs.map { "        \(Self.single($0))" }.joined(separator: " \\\n")
    return "    \(name.rawValue))\n      _arguments \\\n\(lines) ;;\n"
  }

  private func zshOffer(_ hint: ValueHint) -> String {
    switch hint {
    case .nothing: " "
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .policies: zshOffer(.words(policies))
    case .files: "_files"
    case .folders: "_files -/"
    case .keys: "_pushsim_keys"
    }
  }

  // MARK: - fish

  private var fish: String {
    func quoted(_ text: String) -> String {
      "'" + text.map { #"\'"#.contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
    func offer(_ hint: ValueHint) -> String {
      switch hint {
      case .nothing: " -x"
      case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
      case .policies: offer(.words(policies))
      case .files: " -r -F"
      case .folders: " -x -a '(__fish_complete_directories)'"
      case .keys: " -x -a '(_pushsim_keys)'"
      }
    }
    var text =
      "function _pushsim_keys\n    printf '%s\\n' \(keys.map { $0 + "=" }.joined(separator: " \\\n        "))\nend\n"
    text += "complete -c pushsim -f\n"
    text += "complete -c pushsim -n __fish_use_subcommand -l help -s h -d 'show help'\n"
    text += "complete -c pushsim -n __fish_use_subcommand -l version -s V -d 'print the version'\n"
    for (name, command) in commands {
      text +=
        "complete -c pushsim -n __fish_use_subcommand -a \(name.rawValue) -d \(quoted(command.summary))\n"
      let start = "complete -c pushsim -n '__fish_seen_subcommand_from \(name.rawValue)'"
      for option in command.options {
        let value = option.placeholder == nil ? "" : offer(option.hint)
        text += "\(start) -l \(option.name.dropFirst(2))\(value) -d \(quoted(option.summary))\n"
      }
      switch command.operandHint {
      case .nothing: break
      case .files: text += "\(start) -F\n"
      case let hint: text += start + offer(hint).replacing(" -x", with: "") + "\n"
      }
    }
    return text
  }
}
