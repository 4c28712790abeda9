#!/bin/sh
# SPDX-License-Identifier: MIT
# fresh-debian.sh ROOT: a Debian 12 in the folder ROOT with next to nothing in it, from the archive that this
# machine itself installs from; kept for the next time. As root.
set -eu
root=$1
uri=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
  grep -v security | head -n 1)
if [ ! -x "$root/usr/bin/apt-get" ]; then
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" "$uri"
  cp /etc/apt/apt.conf.d/*proxy* /etc/apt/apt.conf.d/*registry* "$root/etc/apt/apt.conf.d/" 2>/dev/null || :
fi
mkdir -p "$root/tmp"
chroot "$root" apt-get update -q > /dev/null
