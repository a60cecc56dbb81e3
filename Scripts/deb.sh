#!/usr/bin/env bash
# Makes a Debian package of the built program and checks it with lintian.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh dpkg-dev lintian binutils

version=$(.build/release/pushsim --version | sed 's/^pushsim //')
architecture=$(dpkg --print-architecture)
tree=.build/packages/deb
package=.build/packages/pushsim_${version}_$architecture.deb
rm -rf "$tree"
mkdir -p "$tree/DEBIAN"

Scripts/install.sh install /usr "$PWD/$tree"

# Debian's own form of what stands elsewhere: licence and changes.
texts=$tree/usr/share/doc/pushsim
rm "$texts/LICENSE"
gzip -9n <"$texts/CHANGELOG.md" >"$texts/NEWS.gz"
rm "$texts/CHANGELOG.md"
gzip -9n >"$texts/changelog.gz" <<CHANGES
pushsim ($version) unstable; urgency=low

  * Version $version; NEWS.gz says what changed.

 -- The pushsim authors <pushsim@example.org>  $(date --rfc-email --date="@$(git log -1 --format=%ct 2>/dev/null || date +%s)")
CHANGES
cat >"$texts/copyright" <<'COPYRIGHT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: pushsim
Comment: THIRD-PARTY.md says what else is used.

Files: *
Copyright: 2026 The pushsim authors
License: GPL-3
 On Debian systems the text of the licence is in /usr/share/common-licenses/GPL-3.
COPYRIGHT

# What the libraries that the program links to need, in the words of Debian's own tool.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/debian"
printf 'Source: pushsim\n\nPackage: pushsim\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$OLDPWD/$tree/usr/bin/pushsim" 2>/dev/null | sed 's/^shlibs:Depends=//')
size=$(du -sk "$tree/usr" | cut -f1)
cat >"$tree/DEBIAN/control" <<CONTROL
Package: pushsim
Version: $version
Architecture: $architecture
Maintainer: The pushsim authors <pushsim@example.org>
Depends: $depends
Installed-Size: $size
Section: science
Priority: optional
Description: simulator of background delivery on iOS
 pushsim estimates how reliably silent pushes, VoIP pushes, background
 refreshes and background tasks reach an app, with the reasons why pushes
 are held or lost.
 .
 A scenario in YAML gives delivery rates, latencies, freshness and energy,
 with confidence intervals and the assumptions that they rest on.
CONTROL
find "$tree" -type d -exec chmod 755 {} +
(cd "$tree" && find usr -type f -exec md5sum {} +) >"$tree/DEBIAN/md5sums"
dpkg-deb --root-owner-group --build "$tree" "$package" >/dev/null
# The package does not come from Debian: no bug of theirs is closed by it, and its changes are not in their form.
lintian --fail-on error --allow-root --suppress-tags initial-upload-closes-no-bugs "$package"
echo "$package"
