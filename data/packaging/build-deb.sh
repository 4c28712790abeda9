#!/bin/sh
# SPDX-License-Identifier: MIT
# build-deb.sh SOURCE OUT: the Debian packages of what git tracks in SOURCE, with uncommitted changes, into OUT.
set -eu
source=$1 out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The files as Debian wants them: debian/ on top, nothing that was built.
mkdir -p "$work/hydrolink" "$out"
git -C "$source" ls-files -z --cached --others --exclude-standard |
  (cd "$source" && xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh) |
  tar -C "$source" --null -T - -cf - | tar -C "$work/hydrolink" -xf -
mv "$work/hydrolink/data/packaging/debian" "$work/hydrolink/debian"
rm -rf "$work/hydrolink/.ci"
cd "$work/hydrolink"
dpkg-buildpackage -us -uc -b
cd ..
mv ./*.deb ./*.changes ./*.buildinfo "$out"
