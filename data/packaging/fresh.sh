#!/bin/sh
# SPDX-License-Identifier: MIT
# fresh.sh SOURCE ROOT RELEASE: the two commands of the README in a new Debian 12 or 13 in the folder ROOT, by an ordinary user who
# may use sudo, in a clone of SOURCE's HEAD. ROOT is made anew. As root. Prints what each command took; last line: `N passed, N failed`.
set -eu
source=$1 root=$2 release=$3
here=$(dirname "$0")

rm -rf --one-file-system "$root"
"$here/fresh-debian.sh" "$root" "$release"
git -C "$source" bundle create -q "$root/tmp/head.bundle" HEAD
"$here/in-debian.sh" "$root" sh -c '
  git clone -q /tmp/head.bundle hydrolink
  cd hydrolink
  failed=0
  for command in run test; do
    began=$(date +%s)
    status=0
    { ./dev $command || echo $? > ../status; } 2>&1 | tee ../said
    [ ! -f ../status ] || { status=$(cat ../status); rm ../status; }
    result="./dev $command: $(($(date +%s) - began)) s, exit $status, $(tail -n 1 ../said)"
    results="${results:-}
$result"
    [ $status -eq 0 ] || failed=$((failed + 1))
  done
  echo
  echo "Debian $(cat /etc/debian_version), $(nproc) processors, build folder $(du -sm build | cut -f 1) MB$results"
  echo "$((2 - failed)) passed, $failed failed"
  [ $failed -eq 0 ]'
