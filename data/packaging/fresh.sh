#!/bin/sh
# SPDX-License-Identifier: MIT
# fresh.sh [--keep] SOURCE ROOT RELEASE [COMMAND]...: commands of ./dev (default: run, test) in a Debian 12 or 13 in the folder ROOT, by an
# ordinary user who may use sudo, in a clone of SOURCE's HEAD. ROOT is made anew, with --keep only where it is missing. Prints what each
# command took; last line: `N passed, N failed`. As root. Exit 77: the system cannot be made here; the last line says why.
set -eu
keep=
if [ "$1" = --keep ]; then
  keep=1
  shift
fi
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
[ -n "$keep" ] || rm -rf --one-file-system "$root"
mkdir -p "$(dirname "$root")"
"$here/fresh-debian.sh" "$root" "$release" || cannot 'no mirror answers'
git -C "$source" bundle create -q "$root/tmp/head.bundle" HEAD
# shellcheck disable=SC2016
"$here/in-debian.sh" "$root" sh -c '
  rm -rf hydrolink said status
  git clone -q /tmp/head.bundle hydrolink
  cd hydrolink
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
