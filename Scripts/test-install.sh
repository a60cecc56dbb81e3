#!/usr/bin/env bash
# Installs each package where nothing of this repository is, uses it as a user would, and removes it. Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh mmdebstrap buildah

work=$(mktemp -d)
# A program finds its arguments in /proc.
trap 'umount "$work/root/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
small=(--devices 20 --replications 2 --set 'experiment.duration=2 d' --set 'experiment.warm_up=1 d')

step() { printf '\n-- %s\n' "$1"; }

# A first scenario, written and run by the installed program, in an empty folder.
use() {
  local root=$1
  shift
  mkdir -p "$root/work"
  chroot "$root" sh -c 'cd /work && rm -rf ./* && pushsim --version && pushsim new my_feed --question freshness &&
    pushsim check my_feed.yaml && pushsim run my_feed.yaml "$@" --output out 2>/dev/null | tail -n 4 && test -s out/report.html' sh "$@"
}

step "make install below a folder, a copied binary alone, make uninstall"
Scripts/install.sh install /opt/pushsim "$work/staged"
cp "$work/staged/opt/pushsim/bin/pushsim" "$work/alone"
(cd "$work" && env -i ./alone new one --question delivery && env -i ./alone run one.yaml "${small[@]}" 2>/dev/null | tail -n 3)
gzip -t "$work/staged/opt/pushsim/share/man/man1/pushsim.1.gz"
Scripts/install.sh uninstall /opt/pushsim "$work/staged"
left=$(find "$work/staged" -type f)
[ -z "$left" ] || { echo "uninstall left: $left" >&2 && exit 1; }

step "Debian package in a clean root"
. /etc/os-release
mmdebstrap --quiet --variant=minbase "$VERSION_CODENAME" "$work/root"
mountpoint -q "$work/root/proc" || mount -t proc proc "$work/root/proc"
package=$(ls .build/packages/pushsim_*.deb)
cp "$package" "$work/root/tmp/"
chroot "$work/root" env DEBIAN_FRONTEND=noninteractive sh -c \
  'apt-get -qq update && apt-get -qq -y --no-install-recommends install /tmp/*.deb' >/dev/null
use "$work/root" "${small[@]}"
chroot "$work/root" dpkg --remove pushsim >/dev/null
[ ! -e "$work/root/usr/share/pushsim" ] || { echo "the package left files behind" >&2 && exit 1; }

step "container image"
container=$(buildah from --storage-driver vfs pushsim)
mkdir -p "$work/mounted"
cp "$work/one.yaml" "$work/mounted/"
buildah run --storage-driver vfs --isolation chroot --volume "$work/mounted:/work" "$container" -- \
  /usr/bin/pushsim run one.yaml "${small[@]}" --output out 2>/dev/null | tail -n 3
test -s "$work/mounted/out/report.html"
buildah rm --storage-driver vfs "$container" >/dev/null
echo "installed, used and removed: all is well"
