#!/bin/sh
# SPDX-License-Identifier: MIT
# in-debian.sh ROOT COMMAND...: runs COMMAND in the system in the folder ROOT as a machine of its own: /proc, terminals and shared memory
# are mounted for it alone and are gone when it ends. As root; the ordinary user `someone`, who may use sudo, is made once.
set -eu
root=$1
shift
export DEBIAN_FRONTEND=noninteractive
if ! chroot "$root" id someone > /dev/null 2>&1; then
  chroot "$root" apt-get install -q -y --no-install-recommends sudo git > /dev/null
  chroot "$root" useradd --create-home --shell /bin/sh someone
  echo 'someone ALL=(ALL) NOPASSWD: ALL' > "$root/etc/sudoers.d/someone"
fi
# shellcheck disable=SC2016
exec unshare --mount --pid --fork --kill-child sh -c '
  root=$1
  shift
  mount -t proc proc "$root/proc"
  mkdir -p "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
  mount -t tmpfs tmpfs "$root/dev/shm"
  [ -e "$root/dev/ptmx" ] || ln -s pts/ptmx "$root/dev/ptmx"
  exec chroot "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/someone USER=someone LC_ALL=C.UTF-8 \
    ${HL_JOBS:+HL_JOBS="$HL_JOBS"} ${HL_BUILD_OPTIONS:+HL_BUILD_OPTIONS="$HL_BUILD_OPTIONS"} ${HL_SHARE:+HL_SHARE="$HL_SHARE"} \
    ${MESON_TESTTHREADS:+MESON_TESTTHREADS="$MESON_TESTTHREADS"} ${HL_PATIENCE:+HL_PATIENCE="$HL_PATIENCE"} setpriv --reuid someone --regid someone --init-groups sh -c "cd && exec \"\$@\"" in-debian "$@"
' in-debian "$root" "$@"
