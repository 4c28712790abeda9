#!/bin/sh
# SPDX-License-Identifier: MIT
# fresh.sh [--keep | --go-on] SOURCE ROOT RELEASE [COMMAND]...: commands of ./dev (default: run, test) in a Debian 12 or 13 in the folder
# ROOT, by an ordinary user who may use sudo, in a clone of SOURCE's HEAD. ROOT is made anew, with --keep only where it is missing, and
# compiles through a cache then; --go-on takes the system and the clone of the last time. Prints what each command took; last line:
# `N passed, N failed`. As root. Exit 77: the system cannot be made here; the last line says why.
set -eu
mode=
case $1 in
  --keep | --go-on)
    mode=$1
    shift ;;
esac
source=$1 root=$2 release=$3
shift 3
[ $# -gt 0 ] || set -- run test
here=$(dirname "$0")

cannot () {
  echo "a Debian $release cannot be made here: $*"
  exit 77
}

[ "$(id -u)" -eq 0 ] || cannot 'no root'
command -v debootstrap > /dev/null || { apt-get update -q && apt-get install -q -y debootstrap; } > /dev/null 2>&1 || cannot 'no debootstrap'
unshare --mount true 2> /dev/null || cannot 'no mounts'
[ -n "$mode" ] || rm -rf --one-file-system "$root"
mkdir -p "$(dirname "$root")"
if [ "$mode" != --go-on ]; then
  rm -rf "$root/home/someone/hydrolink" "$root/tmp/head.bundle"
  "$here/fresh-debian.sh" "$root" "$release" || cannot 'no mirror answers'
  git -C "$source" bundle create -q "$root/tmp/head.bundle" HEAD
fi
[ -f "$root/tmp/head.bundle" ] || cannot 'it could not be made before'
if [ "$mode" = --keep ] && [ ! -e "$root/usr/bin/ccache" ]; then
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends ccache > /dev/null
fi
# shellcheck disable=SC2016
"$here/in-debian.sh" "$root" sh -c '
  rm -f said status
  [ -d hydrolink ] || git clone -q /tmp/head.bundle hydrolink
  cd hydrolink
  export CCACHE_SLOPPINESS=pch_defines,time_macros
  passed=0 failed=0 results=
  for command; do
    began=$(date +%s)
    { ./dev $command || echo $? > ../status; } 2>&1 | tee ../said
    status=0
    [ ! -f ../status ] || { status=$(cat ../status); rm ../status; }
    last=$(tail -n 1 ../said)
    results="$results
./dev $command: $(($(date +%s) - began)) s, exit $status: $last"
    good=$(echo "$last" | sed -n "s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1/p")
    bad=$(echo "$last" | sed -n "s/^\([0-9]*\) passed, \([0-9]*\) failed$/\2/p")
    if [ -z "$good" ]; then good=$((status == 0)) bad=$((status != 0)); fi
    if [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    passed=$((passed + good)) failed=$((failed + bad))
  done
  echo
  echo "Debian $(cat /etc/debian_version), $(nproc) processors, build folder $(du -sm build | cut -f 1) MB$results"
  echo "$passed passed, $failed failed"
  [ $failed -eq 0 ]' fresh "$@"
