#!/usr/bin/env bash
# Makes a container image from nothing but the program and the libraries that it links to. Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh buildah binutils

context=.build/packages/image
rm -rf "$context"
mkdir -p "$context/root/usr/bin" "$context/root/work"
install -m 755 .build/release/pushsim "$context/root/usr/bin/pushsim"
strip --strip-all "$context/root/usr/bin/pushsim"
ldd .build/release/pushsim | grep -oE '/[^ ]+' | sort -u | while read -r library; do
  install -D "$(readlink -f "$library")" "$context/root$library"
done
cp Containerfile "$context/"

# No base image and no daemon: the image holds what the context holds.
buildah build --isolation chroot --storage-driver vfs --quiet --tag pushsim "$context" >/dev/null
archive=.build/packages/pushsim-image.tar
rm -f "$archive"
buildah push --storage-driver vfs --quiet pushsim "docker-archive:$archive:pushsim:latest"
megabytes=$(($(stat -c %s "$archive") / 1000000))
[ "$megabytes" -lt 100 ] || { echo "image: $megabytes MB; it should stay below 100" >&2 && exit 1; }
echo "$archive: $megabytes MB"
