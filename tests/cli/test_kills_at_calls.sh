#!/usr/bin/env bash
# A run that is killed at any of the system calls that rename or remove files continues with --resume and
# can be replaced with --overwrite, as can one that met a full disk while it began; nothing half written stays. Skipped
# where strace cannot trace. Arguments: program, source folder, scratch folder, and how often as many calls of each kind (1; 10 by hand).
source "$(dirname "$0")/small_box.sh" "$@" || exit 1
times=${4:-1}
command -v strace >/dev/null || { echo "skipped: there is no strace"; exit 77; }
strace -f -o /dev/null -e trace=rename true 2>/dev/null || { echo "skipped: strace may not trace here"; exit 77; }

write_box scene.toml 0.002
options=(--set output.frame_interval_s=0.0005 --checkpoint-every 0.001s)
# Calls that a run makes, as many as there are. Killed at call number $2 of kind $1 of: brisance run $3 ...
killed_at() {
  (strace -f -o trace.txt -e trace="$1" -e inject="$1":signal=KILL:when="$2" "$program" run scene.toml --out run "${options[@]}" "${@:3}") \
    >killed.txt 2>&1
  grep -q "killed by SIGKILL" trace.txt
}
goes_on() {  # WHAT OPTION
  "$program" run scene.toml --out run "${options[@]}" "$2" >said.txt 2>&1 || fail "$1, then $2: $(cat said.txt) $(ls -R run)"
  grep -q '"status": "finished"' run/run.json || fail "$1, then $2: $(cat run/run.json)"
  # Files of a complete run are not touched.
  [[ -z $(find run -name '*.writing*') ]] || grep -q "nothing was touched" said.txt || fail "$1, then $2: $(find run -name '*.writing*')"
}

kills=0
for calls in rename:9 link:1 unlink:3 fsync:3; do
  kind=${calls%:*}
  for ((n = 1; n <= times * ${calls#*:}; n++)); do
    for again in --resume --overwrite; do
      rm -rf run
      killed_at $kind "$n" --resume || break 2
      goes_on "killed at $kind $n" "$again"
      kills=$((kills + 1))
    done
  done
done
((kills >= 25)) || fail "only $kills kills: do runs call link and rename no more?"

# A run that is being replaced.
"$program" run scene.toml --out whole "${options[@]}" >said.txt 2>&1 || fail "$(cat said.txt)"
for calls in rename:2 link:1 unlink:6; do
  kind=${calls%:*}
  for ((n = 1; n <= times * ${calls#*:}; n++)); do
    for again in --resume --overwrite; do
      rm -rf run && cp -r whole run
      killed_at $kind "$n" --overwrite || break 2
      goes_on "killed at $kind $n of --overwrite" "$again"
      kills=$((kills + 1))
    done
  done
done
"$program" diff whole run >said.txt 2>&1 || fail "another run: $(cat said.txt)"

# A disk that is full when the run begins: with free space again the folder can be used as it is.
cat >full_disk.sh <<SH
mount -t tmpfs -o size=1M none disk || exit 99
for again in --resume --overwrite ""; do
  rm -rf disk/*
  dd if=/dev/zero of=disk/filler bs=4k 2>/dev/null
  '$program' run scene.toml --out disk/run >full.txt 2>&1 && exit 98
  grep -q "No space left on device" full.txt || exit 97
  rm disk/filler
  '$program' run scene.toml --out disk/run \$again >again.txt 2>&1 || exit 96
done
# A run that fills the disk: it is replaced, which frees the space.
dd if=/dev/zero of=disk/filler bs=1 count=1 2>/dev/null
cat /dev/zero >disk/run/snapshots/000777.hdf 2>/dev/null
'$program' run scene.toml --out disk/run --overwrite >again.txt 2>&1 || exit 95
SH
mkdir disk
unshare -rm bash full_disk.sh 2>/dev/null
case $? in
  0) ;;
  1 | 99) echo "no mounts here: the full disk was not tried" ;;
  *) fail "a full disk: $(cat full.txt again.txt)" ;;
esac

# Two that begin at the same time: all end, one has the run, and the folder can be used.
for ((i = 0; i < 6; i++)); do
  rm -rf run
  for rival in 1 2 3; do "$program" run scene.toml --out run "${options[@]}" >"rival_$rival.txt" 2>&1 & done
  wait
  grep -q '"status": "finished"' run/run.json || fail "of three at once: $(cat run/run.json rival_*.txt)"
  goes_on "three at once" --resume
done
echo "$kills kills: each run went on"
