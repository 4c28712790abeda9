#!/bin/sh
# SPDX-License-Identifier: MIT
# A study as an array job of a real Slurm: cluster.sh PROGRAM FOLDER [ROWS], as root.
#
# Debian's Slurm and munge become a cluster of this one computer, by hand, without systemd: its key, its
# configuration, its logs and its state lie in FOLDER, its daemons listen on 127.0.0.1 alone, and all of
# it is taken down again however this ends. Of the array two tasks are killed; what is missing is handed
# over again, merged, and compared byte by byte with a run without Slurm.
set -eu

program=$(realpath "$1")
rows=${3:-20000}
# a task must last so long that it can be killed at its work: few rows have many samples each
if [ "$rows" -lt 2000 ]; then shards=4 t_end=8 every=1e-5; else shards=40 t_end=2 every=1e-2; fi
mkdir -p "$2"
folder=$(cd "$2" && pwd)
model=$(cd "$(dirname "$0")/../.." && pwd)/data/examples/four-bar.hydrolink
cpus=$(nproc)
passed=0

say () { printf '%s\n' "$*"; }
pass () { passed=$((passed + 1)); say "ok $passed - $*"; }
fail () {
  say "not ok - $*" >&2
  for log in "$folder"/*.log; do [ ! -f "$log" ] || { say "---- $log"; tail -n 15 "$log"; }; done >&2
  say "$passed passed, 1 failed"
  exit 1
}

[ "$(id -u)" -eq 0 ] || fail 'the daemons need root'
PATH=$PATH:/usr/sbin:/sbin
for tool in munged slurmctld slurmd sbatch scancel squeue; do
  command -v "$tool" > /dev/null || fail "there is no $tool"
done

# ---- up and down ---------------------------------------------------------------------------------

# The process of a file with its number, if it still is that program.
number_of () {
  [ -s "$folder/$1.pid" ] || return 1
  number=$(cat "$folder/$1.pid" 2> /dev/null) || return 1
  grep -qa "$1" "/proc/$number/cmdline" 2> /dev/null && printf '%s' "$number"
}

# Tasks and the processes that watch over them have this cluster's configuration in their environment.
stop_tasks () {
  for entry in /proc/[0-9]*; do
    case $(cat "$entry/comm" 2> /dev/null) in
      slurmstepd* | hydrolink*)
        if tr '\0' '\n' < "$entry/environ" | grep -qxF "SLURM_CONF=$folder/slurm.conf"; then
          kill -KILL "${entry#/proc/}" || :
        fi ;;
    esac
  done
}

down () {
  status=$?
  trap - EXIT INT TERM HUP
  if number_of slurmctld > /dev/null; then scancel --quiet --user=root 2> /dev/null || :; fi
  for name in slurmd slurmctld munged; do
    number=$(number_of "$name") || continue
    kill "$number" 2> /dev/null || :
    tenths=0
    while [ "$tenths" -lt 50 ] && number_of "$name" > /dev/null; do
      sleep 0.1
      tenths=$((tenths + 1))
    done
    if number=$(number_of "$name"); then kill -KILL "$number" 2> /dev/null || :; fi
  done
  stop_tasks 2> /dev/null # processes come and go while one looks
  rm -rf "$folder/state" "$folder/spool" "$folder/munge.key" "$folder/munge.seed" "$folder/munge.socket"*
  exit "$status"
}
trap down EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

rm -rf "$folder/state" "$folder/spool" "$folder/local" "$folder/array" "$folder"/*.log "$folder"/*.pid
mkdir -p "$folder/state" "$folder/spool"
chmod 755 "$folder"
(umask 077 && head -c 1024 /dev/urandom > "$folder/munge.key")
port=$((20000 + $$ % 20000))
host=$(hostname -s)
cat > "$folder/slurm.conf" <<CONF
ClusterName=hydrolink
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
# nothing is bound to any address but that of the loopback
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1
MaxArraySize=10001
MaxJobCount=20000
MinJobAge=2
KillWait=1
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=UNLIMITED State=UP
CONF
# a plugin there must be, but no group is made: nothing is mounted there, and nobody asks
printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\nCgroupMountpoint=%s\n' "$folder/cgroup" > "$folder/cgroup.conf"
export SLURM_CONF="$folder/slurm.conf"

wait_for () {
  what=$1
  seconds=$2
  shift 2
  tenths=0
  until "$@" > /dev/null 2>&1; do
    tenths=$((tenths + 1))
    [ "$tenths" -lt $((seconds * 10)) ] || fail "$what within $seconds s"
    sleep 0.1
  done
}

munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
  --log-file="$folder/munged.log" --seed-file="$folder/munge.seed" --num-threads=2 2> /dev/null || fail 'munged starts'
slurmctld -c -f "$SLURM_CONF" || fail 'slurmctld starts'
slurmd -c -f "$SLURM_CONF" -N "$host" || fail 'slurmd starts'
is_idle () { [ "$(sinfo --noheader --format=%T)" = idle ]; }
wait_for 'the node is idle' 30 is_idle
pass "a cluster of one node, $cpus processors"

# What listens on the two ports, by /proc: 0100007F is 127.0.0.1, 0A a socket that listens.
listens=$(cat /proc/net/tcp /proc/net/tcp6 2> /dev/null | awk -v a="$port" -v b="$((port + 1))" '
  function number (hex,  k, n) {
    for (k = 1; k <= length (hex); k++) n = 16 * n + index ("0123456789ABCDEF", substr (hex, k, 1)) - 1
    return n
  }
  $4 == "0A" { split ($2, at, ":"); p = number (at[2]); if (p == a || p == b) print at[1] }' | tr '\n' ' ')
[ "$listens" = '0100007F 0100007F ' ] || fail "the daemons listen on: $listens"
pass 'its daemons listen on 127.0.0.1 alone'

# ---- the study -----------------------------------------------------------------------------------

study="--vary cyl.friction.Fc=100:300 --vary link2.mass=1:5:log --design sobol:$rows --seed 7
  --measure max:p1 --measure settling:phi2 --set simulation.t_end=$t_end --set simulation.every=$every"
submit () {
  # shellcheck disable=SC2086
  "$program" study submit "$model" $study --engine slurm --shards "$shards" --out "$folder/array" "$@"
}
left () { squeue --noheader --array --user=root | wc -l; }
is_over () { [ "$(left)" -eq 0 ]; }

began=$(date +%s)
submit --go || fail 'submit --go hands the array over'
pass "an array of $shards tasks handed over"

# two tasks are killed: one that runs, by KILL, and one that waits or runs, by being cancelled
array=$(squeue --noheader --array --format=%F | head -n 1)
is_running () { [ -n "$(squeue --noheader --states=RUNNING --format=%i)" ]; }
wait_for 'a task runs' 30 is_running
first=$(squeue --noheader --array --states=RUNNING --format=%i | head -n 1)
scancel --signal=KILL --full "$first" 2> /dev/null || scancel --signal=KILL "$first" || :
scancel "${array}_$shards" || fail 'the last task is cancelled'
wait_for 'the array comes to its end' 3600 is_over
[ ! -e "$folder/array/results.csv" ] || fail 'the killed tasks have left nothing to do'
submit > "$folder/missing.txt" 2>&1 || fail 'submit tells what is missing'
missing=$(sed -n 's/^#SBATCH --array=//p' "$folder/array/submit-slurm.sh")
case $missing in
  "${first#*_},$shards" | "${first#*_}-$shards") pass "two tasks killed, of which ($missing) rows are missing" ;;
  *) fail "missing are the tasks $missing, not ${first#*_} and $shards: $(cat "$folder/missing.txt")" ;;
esac
submit --go || fail 'submit --go hands over what is missing'
is_handed () { ! is_over; }
wait_for 'what is missing comes to its end' 3600 is_over
"$program" study merge "$folder/array" > "$folder/merge.txt" 2>&1 || fail "merge: $(cat "$folder/merge.txt")"
pass "resubmitted and merged, $(($(date +%s) - began)) s"

# ---- the same without Slurm ----------------------------------------------------------------------

began=$(date +%s)
# shellcheck disable=SC2086
"$program" study run "$model" $study --progress none --out "$folder/local" 2> "$folder/local.txt" || fail "run: $(cat "$folder/local.txt")"
say "# without Slurm $(($(date +%s) - began)) s"
cmp "$folder/array/results.csv" "$folder/local/results.csv" || fail 'the bytes are those of a local run'
[ "$(grep -vc '^#' "$folder/local/results.csv")" -eq $((rows + 1)) ] || fail 'every row is there'
pass "$rows rows, the same bytes as without Slurm"
say "$passed passed, 0 failed"
