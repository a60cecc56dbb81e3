#!/usr/bin/env bash
# Puts the built program and what belongs to it under a prefix, or takes it away again.
# Usage: install.sh install|uninstall PREFIX [DESTDIR]
set -euo pipefail
cd "$(dirname "$0")/.."

action=$1 prefix=$2 root=${3:-}
case $prefix in
/*) ;;
*) echo "install: PREFIX must be an absolute path; it is \`$prefix\`" >&2 && exit 64 ;;
esac
program=.build/release/pushsim
name=pushsim
base=$root$prefix
binary=$base/bin/$name
manual=$base/share/man/man1/$name.1.gz
bash_words=$base/share/bash-completion/completions/$name
zsh_words=$base/share/zsh/site-functions/_$name
fish_words=$base/share/fish/vendor_completions.d/$name.fish
data=$base/share/$name
texts=$base/share/doc/$name

put() { install -D -m 644 /dev/stdin "$1"; }

case $action in
install)
  [ -x "$program" ] || { echo "install: build first: make build" >&2 && exit 69; }
  install -D -m 755 "$program" "$binary"
  strip --strip-all --remove-section=.comment "$binary"
  "$program" help --man | gzip -9n | put "$manual"
  "$program" completion bash | put "$bash_words"
  "$program" completion zsh | put "$zsh_words"
  "$program" completion fish | put "$fish_words"
  find Scenarios -name '*.yaml' -o -name '*.csv' | while read -r file; do
    put "$data/${file#Scenarios/}" <"$file"
  done
  for file in README.md CHANGELOG.md LICENSE THIRD-PARTY.md Documentation/*.md; do
    put "$texts/${file#Documentation/}" <"$file"
  done
  ;;
uninstall)
  rm -f "$binary" "$manual" "$bash_words" "$zsh_words" "$fish_words"
  rm -rf "$data" "$texts"
  ;;
*) echo "install: expected install or uninstall; found \`$action\`" >&2 && exit 64 ;;
esac
