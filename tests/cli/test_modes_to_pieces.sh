#!/usr/bin/env bash
# From modes to a runtime file, an impact and a playback, as a user calls them; the two ways to an impact agree.
# usage: test_modes_to_pieces.sh PROGRAM SOURCE_DIR SCRATCH_DIR
set -u
program=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch"
cd "$scratch" || exit 1
failures=0
fail() { echo "FAILED: $1"; cat stderr.txt 2> /dev/null | head -5; failures=$((failures + 1)); }
refused() {
  local pattern=$1; shift
  "$program" "$@" > stdout.txt 2> stderr.txt
  [ $? -eq 2 ] && [ "$(grep -c 'brisance: error: ' stderr.txt)" -eq 1 ] && grep -q -F -e "$pattern" stderr.txt ||
    fail "$*: no \"$pattern\""
}

"$program" modes --shape bowl --tets 1500 --count 15 --out bowl.modes.h5 > log.txt 2>&1 || { cat log.txt; fail "modes"; exit 1; }
"$program" runtime bowl.modes.h5 --smear both --out bowl.impact || fail "runtime"
/usr/bin/python3 "$source/tests/runtime/read_impact_file.py" bowl.impact || fail "the file is not as docs/FORMAT.md says"
"$program" modes --shape box --set size_m=[1,0.3,0.2] --tets 200 --count 8 --kind vibration --out box.vibration.h5 > log.txt 2>&1 || fail "vibration"
"$program" prefracture bowl.modes.h5 --out bowl.pieces.h5 > log.txt 2>&1 || fail "prefracture"
says() {  # PATTERN FILE
  "$program" info "$2" > info.txt 2>&1 || fail "info $2"
  grep -q -e "$1" info.txt || { cat info.txt; fail "info $2 does not say \"$1\""; }
}
says '15 of 15 displacement modes, complete' bowl.modes.h5
says '^  13-15  [0-9.]*  0  [0-9.e-]*  [0-9]*  ' bowl.modes.h5
says 'runtime file of a solid, [0-9]* atoms, [0-9]* faces between them, 5 modes' bowl.impact
says 'elastic over [0-9.]* m; gaussian over' bowl.impact
says '^  7  [0-9.]*$' box.vibration.h5
pieces=$(sed -n 's/^\([0-9]*\) pieces of .*/\1/p' log.txt)
says ": ${pieces:-none} pieces of [0-9.]* m³" bowl.pieces.h5
head -c 3000 bowl.modes.h5 > cut.h5
"$program" info cut.h5 > info.txt 2>&1 && fail "info on a file that is cut short"
grep -q '^brisance: error: cut.h5' info.txt || fail "info on a file that is cut short: no message"

for smear in elastic gaussian; do
  "$program" impact bowl.impact --point 0.1,0,0 --smear $smear --json > from_runtime.json || fail "impact on the runtime file"
  "$program" impact bowl.modes.h5 --point 0.1,0,0 --smear $smear --json > from_modes.json || fail "impact on the modes"
  cmp from_runtime.json from_modes.json || fail "$smear: runtime file and modes disagree"
done
[ "$(sed -n 's/.*"num_pieces": \([0-9]*\).*/\1/p' from_runtime.json)" -gt 1 ] || fail "nothing broke"

"$program" play bowl.modes.h5 --out run --drop 0.5 --tilt 30,0,0 --break-speed 0.5 --duration 0.6 --fps 20 > log.txt 2>&1 ||
  { cat log.txt; fail "play"; }
"$program" info run > info.txt || fail "info on the playback"
[ "$(sed -n 's/^ *12  [0-9.e-]*  [0-9]*  \([0-9]*\) .*/\1/p' info.txt)" -gt 1 ] || { cat info.txt; fail "the bowl did not break"; }
mpirun -q -n 2 "$program" play bowl.modes.h5 --out two --drop 0.5 --tilt 30,0,0 --break-speed 0.5 --duration 0.6 --fps 20 \
  > log.txt 2>&1 || fail "play on two ranks"
"$program" diff run two > /dev/null || fail "one and two ranks differ"

"$program" render run --width 48 --samples 1 > log.txt 2>&1 || { cat log.txt; fail "render"; }

refused "exists" runtime bowl.modes.h5 --out bowl.impact
refused "missing.h5" runtime missing.h5 --out other.impact
refused "--smear" runtime bowl.modes.h5 --smear sideways --out other.impact
refused "already" play bowl.modes.h5 --out run
refused "break-speed" play bowl.modes.h5 --out other --break-speed 0
[ ! -e other.impact ] && [ ! -e other ] || fail "something was written"

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))
