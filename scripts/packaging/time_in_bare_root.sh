#!/usr/bin/env bash
# Times a newcomer's first minutes: from a clone of this repository, in a bare Debian 12 root made for this and removed
# afterwards, to the strip of a scene's first pictures, and to the end of scripts/run.sh. Nothing but git is there before.
#
#   scripts/packaging/time_in_bare_root.sh
#   scripts/packaging/time_in_bare_root.sh --scene configs/bowl_quick.toml --mirror http://deb.debian.org/debian
#
#   --scene FILE  of this repository (configs/bowl.toml)
#   --mirror URL  of Debian packages (http://deb.debian.org/debian)
#   --log FILE    the output, with seconds since the clone (first_minutes.log in the working folder)
# The clone is of what is committed. For figures worth keeping nothing else runs on the machine. Ends with code 77 where it
# cannot be done: without root, debootstrap or a mirror.
set -euo pipefail
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/bare_root.sh"

scene=configs/bowl.toml mirror=http://deb.debian.org/debian log=first_minutes.log given=("$@")
while (($#)); do
  case $1 in
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit ;;
    --scene | --mirror | --log) (($# > 1)) || { say "${0##*/}: $1 needs a value."; exit 2; }; declare "${1#--}=$2"; shift ;;
    *) say "${0##*/}: there is no option $1."; exit 2 ;;
  esac
  shift
done
source=$(realpath "$(dirname "$(realpath "$0")")/../..")
[[ -f $source/$scene ]] || { say "${0##*/}: there is no scene $source/$scene."; exit 2; }
enter_mount_space ${given[@]+"${given[@]}"}
make_bare_root "$mirror"
git clone -q --bare --no-hardlinks "$source" "$bare/mnt/brisance.git"  # what a worktree names is elsewhere
inside sh -c 'apt-get -q update && apt-get -q install -y --no-install-recommends git' >"$log" 2>&1 || skip "apt-get: $(tail -n 3 "$log")"

# Seconds since the clone before every line.
start=$(date +%s.%N)
since() { awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }'; }
stamp() { while IFS= read -r line; do printf '%7s %s\n' "$(since)" "$line"; done; }

step "from the clone on"
strip_seen=$bare.strip
name=$(basename "$scene" .toml)
(until [[ -s $bare/root/brisance/runs/$name/contact_sheet.png ]]; do sleep 0.2; done; since >"$strip_seen") &
watcher=$!
code=0
{
  inside git clone -q /mnt/brisance.git /root/brisance && inside /root/brisance/scripts/run.sh "$scene"
} 2>&1 | stamp >"$log" || code=$?
end=$(since)
kill "$watcher" 2>/dev/null || true
strip=$(cat "$strip_seen" 2>/dev/null || true)
rm -f "$strip_seen"
((code == 0)) || fail "$(tail -n 5 "$log")"

# first_line PATTERN: the time of that line
first_line() { awk -v pattern="$1" '$0 ~ pattern { print $1; exit }' "$log"; }
printf '%7s s  packages are to be installed\n' "$(first_line 'Missing packages')"
printf '%7s s  configuring\n' "$(first_line 'The C compiler')"
printf '%7s s  compiling\n' "$(first_line '\\[1/[0-9]+\\]')"
printf '%7s s  the run starts\n' "$(first_line 'rank\\(s\\) -> ')"
printf '%7s s  the run has ended\n' "$(first_line ' steps in [0-9.]+ s; ')"
printf '%7s s  the strip is there\n' "$strip"
printf '%7s s  all pictures are there\n' "$(first_line 'The whole run at a glance')"
printf '%7s s  the command has ended\n' "$end"
