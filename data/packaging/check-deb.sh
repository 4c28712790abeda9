#!/bin/sh
# SPDX-License-Identifier: MIT
# check-deb.sh DEBS ROOT MODEL [RELEASE]: installs the packages of the folder DEBS in a fresh Debian 12 (or RELEASE) in the folder ROOT (made by
# debootstrap, kept for the next time), uses them there as people do, removes them, and looks at what is left behind.
# As root. Last line: `N passed, N failed`.
set -eu
debs=$(cd "$1" && pwd)
root=$2
model=$3
passed=0
failed=0

# check NAME COMMAND...
check () {
  name=$1
  shift
  if "$@" > "$root/tmp/said" 2>&1; then
    passed=$((passed + 1))
    printf 'ok %s\n' "$name"
  else
    failed=$((failed + 1))
    printf 'not ok %s\n' "$name"
    sed 's/^/#   /' "$root/tmp/said" | tail -n 20
  fi
}

inside () {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL="${LOCALE:-C.UTF-8}" \
    DEBIAN_FRONTEND=noninteractive XDG_RUNTIME_DIR=/tmp "$@"
}

# Every file of the system but the package manager's own books, caches and what programs write as they run.
list_files () {
  find "$root" -xdev \( -path "$root/proc" -o -path "$root/sys" -o -path "$root/dev" -o -path "$root/tmp" -o -path "$root/root" \
    -o -path "$root/var/lib/dpkg" -o -path "$root/var/lib/apt" -o -path "$root/var/cache" -o -path "$root/var/log" \) -prune \
    -o -print | sort
}

"$(dirname "$0")/fresh-debian.sh" "$root" "${4:-12}"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
# What the checks themselves need, and what the packages lean on: installed before the books are taken.
mkdir -p "$root/tmp/debs"
cp "$debs"/*.deb "$root/tmp/debs/"
cp "$model" "$root/tmp/model.hydrolink"
inside apt-get install -q -y --no-install-recommends xvfb xauth dbus libglib2.0-bin man-db desktop-file-utils locales \
  shared-mime-info librsvg2-common adwaita-icon-theme fonts-dejavu-core python3 > /dev/null
inside localedef -i de_DE -f UTF-8 de_DE.UTF-8
inside apt-get install -q -y --no-install-recommends \
  $(for deb in "$debs"/*.deb; do dpkg-deb -f "$deb" Depends; done | tr ',' '\n' | sed 's/(.*//; s/|.*//; s/:any//' |
    grep -v hydrolink | sort -u) > /dev/null
list_files > "$root/tmp/before"

check 'the packages install' inside sh -c 'apt-get install -q -y --no-install-recommends /tmp/debs/*.deb'
check 'the program says its version' inside sh -c 'hydrolink --version | grep -q "[0-9]"'
check 'an installed example is read and simulated' inside sh -c \
  'hydrolink validate /usr/share/hydrolink/examples/four-bar.hydrolink && hydrolink simulate /usr/share/hydrolink/examples/four-bar.hydrolink --t-end 0.01 | wc -l | grep -qv "^0$"'
check 'a MAT file is written' inside sh -c \
  'hydrolink linearize /usr/share/hydrolink/examples/four-bar.hydrolink --out /tmp/four-bar.mat > /dev/null && head -c 6 /tmp/four-bar.mat | grep -q MATLAB'
check 'a program of its own stands beside it' inside sh -c 'hydrolink reproduce --help | grep -q friction'
check 'the window opens a file' inside xvfb-run -a hydrolink screenshot /tmp/model.hydrolink --out /tmp/window.png --size 1280x800
LOCALE=de_DE.UTF-8
check 'the window opens in German' inside env LANGUAGE=de xvfb-run -a hydrolink screenshot /tmp/model.hydrolink --out /tmp/window-de.png --size 1280x800
LOCALE=
check 'the two windows differ' sh -c "! cmp -s '$root/tmp/window.png' '$root/tmp/window-de.png'"
check 'its files have pictures, without a display' inside sh -c \
  '$(sed -n "s/^Exec=//p" /usr/share/thumbnailers/*hydrolink*.thumbnailer | sed "s|%i|/tmp/model.hydrolink|; s|%o|/tmp/thumbnail|; s|%s|128|") && head -c 4 /tmp/thumbnail | grep -q PNG'
check 'the desktop starts it by its name' inside xvfb-run -a dbus-run-session -- sh -c '
  gapplication launch io.github.hydrolink.Hydrolink /tmp/model.hydrolink
  for try in 1 2 3 4 5 6 7 8 9 10; do
    gdbus call --session --dest io.github.hydrolink.Hydrolink --object-path /io/github/hydrolink/Hydrolink/window/1 --method org.gtk.Actions.List && break
    sleep 2
  done | grep -q "save-as" && gapplication action io.github.hydrolink.Hydrolink quit'
check 'its files have a type of their own' inside sh -c 'grep -q "vnd.hydrolink+json:\*.hydrolink" /usr/share/mime/globs'
check 'the desktop file is valid' inside desktop-file-validate /usr/share/applications/io.github.hydrolink.Hydrolink.desktop
check 'settings are compiled' inside sh -c 'grep -q Hydrolink /usr/share/glib-2.0/schemas/gschemas.compiled'
check 'the manual opens' inside sh -c 'man hydrolink | grep -q simulate'
check 'paths in the manual are there' inside sh -c \
  'zcat /usr/share/man/man1/hydrolink.1.gz | grep -o "/usr/[A-Za-z0-9_./-]*[a-z]" | sort -u | while read -r f; do [ -e "$f" ] || { echo "$f"; exit 1; }; done'
check 'shells complete its commands' inside sh -c 'grep -q simulate /usr/share/bash-completion/completions/hydrolink'
check 'Python computes with it' inside python3 -c '
import hydrolink
m = hydrolink.open("/usr/share/hydrolink/examples/four-bar.hydrolink")
A, B, C, D = m.linearize()
assert A.shape == (6, 6)'
check 'C programs find it' inside sh -c 'test -f /usr/include/hydrolink.h && ls /usr/lib/*/pkgconfig/hydrolink.pc'
check 'the packages go' inside sh -c 'apt-get purge -q -y hydrolink libhydrolink1 libhydrolink-dev python3-hydrolink'
list_files > "$root/tmp/after"
check 'and leave nothing behind' diff "$root/tmp/before" "$root/tmp/after"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
