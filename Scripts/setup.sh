#!/usr/bin/env bash
# Makes sure that pushsim can be built here: a Swift toolchain, and the Debian packages of the C libraries. Installs
# what Debian can give; says nothing and does nothing when all is there. Arguments are further packages, which the
# measurements need and the program does not.
set -euo pipefail

least_swift=6.2

fail() {
  printf 'set-up: %s\n' "$@" >&2
  exit 1
}

# The version is the first number after "Swift version", as in "Swift version 6.3.1 (swift-6.3.1-RELEASE)".
command -v swift >/dev/null 2>&1 ||
  fail "no Swift toolchain found" "install Swift $least_swift or later (https://www.swift.org/install/linux) and put its" \
    "\`usr/bin\` into PATH"
swift_version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
if [ "$(printf '%s\n' "$least_swift" "${swift_version:-0}" | sort -V | head -n 1)" != "$least_swift" ]; then
  fail "Swift ${swift_version:-of unknown version} is too old" \
    "install Swift $least_swift or later (https://www.swift.org/install/linux)"
fi

packages=(libgsl-dev librandom123-dev libyaml-dev libmd-dev libsqlite3-dev zlib1g-dev libzstd-dev pkg-config "$@")

command -v dpkg-query >/dev/null 2>&1 ||
  fail "this is not a Debian system, so the C libraries cannot be looked up or installed" \
    "install what Debian calls ${packages[*]}, then run \`swift build -c release\`"

missing=()
for package in "${packages[@]}"; do
  # pkgconf provides the command too.
  [ "$package" = pkg-config ] && command -v pkg-config >/dev/null 2>&1 && continue
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ "${#missing[@]}" -gt 0 ] || exit 0

by_hand="run as root: apt-get install ${missing[*]}"
command -v apt-get >/dev/null 2>&1 || fail "missing: ${missing[*]}" "there is no apt-get here to install them"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null 2>&1 || fail "missing: ${missing[*]}" "installing needs root, and there is no sudo" "$by_hand"
  as_root=(sudo)
  # Without a terminal nobody can type a password: fail rather than wait.
  [ -t 0 ] || as_root=(sudo -n)
fi

apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" </dev/null; }

echo "set-up: installing ${missing[*]}"
# An old list of packages may still do.
apt_get update || echo "set-up: the list of packages could not be refreshed; trying with the old one" >&2
apt_get install --yes --no-install-recommends "${missing[@]}" >/dev/null ||
  fail "apt-get could not install: ${missing[*]}" "$by_hand"
