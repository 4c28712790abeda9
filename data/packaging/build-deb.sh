#!/bin/sh
# SPDX-License-Identifier: MIT
# build-deb.sh SOURCE OUT [ROOT [RELEASE]]: the Debian packages of what git tracks in SOURCE, with uncommitted changes, into OUT.
# With ROOT in a fresh Debian 12 (or RELEASE) in that folder (as root), which has only what the package says that it is built with.
set -eu
source=$1 out=$2 root=${3:-} release=${4:-12}
# Always the same folder: its name goes into the compiler's arguments, and ccache knows files of the last time again.
work=$source/build-deb
trap 'rm -rf "$source/build-deb"' EXIT
rm -rf "$work"

# The files as Debian wants them: debian/ on top, nothing that was built.
mkdir -p "$work/hydrolink" "$out"
git -C "$source" ls-files -z --cached --others --exclude-standard |
  (cd "$source" && xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh) |
  tar -C "$source" --null -T - -cf - | tar -C "$work/hydrolink" -xf -
mv "$work/hydrolink/data/packaging/debian" "$work/hydrolink/debian"
rm -rf "$work/hydrolink/.ci"
if [ -n "$root" ]; then
  "$(dirname "$0")/fresh-debian.sh" "$root" "$release"
  rm -rf "$root/build"
  mv "$work" "$root/build"
  work=$root/build
  # By /proc the loader finds the library that lies beside a program which was just built.
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
  trap 'umount "$root/proc"; rm -rf "$source/build-deb"' EXIT
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -c '
    set -e
    apt-get install -q -y --no-install-recommends build-essential
    cd /build/hydrolink
    apt-get build-dep -q -y --no-install-recommends ./
    dpkg-buildpackage -us -uc -b'
else
  # debhelper gives the build a home of its own, where ccache would begin anew
  if command -v ccache > /dev/null; then
    CCACHE_DIR=${CCACHE_DIR:-$(ccache --get-config cache_dir)}
    export CCACHE_DIR
  fi
  cd "$work/hydrolink"
  dpkg-buildpackage -us -uc -b
fi
cd "$work"
mv ./*.deb ./*.changes ./*.buildinfo "$out"
