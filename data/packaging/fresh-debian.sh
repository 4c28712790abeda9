#!/bin/sh
# SPDX-License-Identifier: MIT
# fresh-debian.sh ROOT [RELEASE]: a Debian 12 or 13 (default: 12) in the folder ROOT with next to nothing in it, from the archive that this
# machine itself installs from; kept for the next time. As root.
set -eu
root=$1
case ${2:-12} in
  12) suite=bookworm ;;
  13) suite=trixie ;;
  *) echo "fresh-debian.sh: release '$2' is neither 12 nor 13" >&2; exit 2 ;;
esac
uris=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
  grep -v security || :)
uri=$(printf '%s\n' "$uris" | grep -E '/debian/?$' | head -n 1)
[ -n "$uri" ] || uri=$(printf '%s\n' "$uris" | head -n 1)
# made under another name first: one that was ended half-way is made anew
if [ ! -x "$root/usr/bin/apt-get" ]; then
  rm -rf --one-file-system "$root.part"
  # In two halves, so that dpkg knows from its first package on that it need not wait for the disk: after a crash one begins anew.
  debootstrap --foreign --variant=minbase --include=ca-certificates "$suite" "$root.part" "$uri"
  mkdir -p "$root.part/etc/dpkg/dpkg.cfg.d"
  echo force-unsafe-io > "$root.part/etc/dpkg/dpkg.cfg.d/no-waiting"
  chroot "$root.part" /debootstrap/debootstrap --second-stage
  cp /etc/apt/apt.conf.d/*proxy* /etc/apt/apt.conf.d/*registry* "$root.part/etc/apt/apt.conf.d/" 2>/dev/null || :
  rm -rf --one-file-system "$root"
  mv "$root.part" "$root"
fi
mkdir -p "$root/tmp"
chroot "$root" apt-get update -q > /dev/null
