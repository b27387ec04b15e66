#!/usr/bin/env bash
# `brisance impact` on a file written by another program: known answers, and one clear message for every mistake.
# usage: test_impact.sh PROGRAM SOURCE_DIR SCRATCH_DIR
set -u
program=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch"
cd "$scratch" || exit 1
failures=0
fail() { echo "FAILED: $1"; failures=$((failures + 1)); }
pieces() { "$program" impact halves.impact --json "$@" | sed -n 's/.*"num_pieces": \([0-9]*\).*/\1/p'; }
# expect PIECES ARGUMENTS...
expect() { local wanted=$1; shift; [ "$(pieces "$@")" = "$wanted" ] || fail "$*: not $wanted piece(s)"; }
# refused PATTERN FILE ARGUMENTS...
refused() {
  local pattern=$1; shift
  "$program" impact "$@" > stdout.txt 2> stderr.txt
  [ $? -eq 2 ] || fail "$*: not refused"
  [ ! -s stdout.txt ] || fail "$*: printed an answer"
  [ "$(grep -c 'brisance: error: ' stderr.txt)" -eq 1 ] && grep -q -F -e "$pattern" stderr.txt || fail "$*: no \"$pattern\""
}

/usr/bin/python3 "$source/tests/cli/two_halves.py" halves.impact
# Struck at the left end the halves move by 1.5 and 0.5 times the strength; at the right end both by 1.
expect 2 --point 0,0,0 --sigma 0.99
expect 1 --point 0,0,0 --sigma 1.01
expect 2 --point 0,0,0 --sigma 1.01 --strength 2 --direction -1,0,0
expect 1 --point 2,0,0 --sigma 0.01
expect 2 --point -5,0.1,0 --sigma 0.99 --least-squares
"$program" impact halves.impact --point 0,0,0 | grep -q '^    1  1  50  1$' || fail "table of pieces"
mpirun -q -n 2 "$program" impact halves.impact --point 0,0,0 > two.txt && [ "$(grep -c '^[0-9]* pieces\? of' two.txt)" -eq 1 ] ||
  fail "two ranks"

for length in 0 9 40 $(($(stat -c %s halves.impact) - 1)); do
  head -c $length halves.impact > cut.impact
  refused cut.impact cut.impact --point 0,0,0
done
for byte in 13 600; do
  { head -c $byte halves.impact; printf '\252'; tail -c +$((byte + 2)) halves.impact; } > flipped.impact
  refused "flipped.impact is damaged" flipped.impact --point 0,0,0
done
for file in cut.impact halves.impact; do cat $file; echo more; done > long.impact
refused "long.impact is" long.impact --point 0,0,0
mpirun -q --mca orte_abort_on_non_zero_status 0 -n 2 bash -c '"$@"; echo $? >> codes' rank "$program" impact cut.impact --point 0,0,0 \
  > stdout.txt 2> stderr.txt
[ "$(sort codes | xargs)" = "2 2" ] && [ "$(grep -c 'brisance: error: ' stderr.txt)" -eq 1 ] || fail "a cut file on two ranks"
head -c 300 halves.impact > short.impact
/usr/bin/python3 "$source/tests/cli/two_halves.py" next.impact 3
refused "truncated: 300 of" short.impact --point 0,0,0
refused "version 3, this library reads versions 1 and 2" next.impact --point 0,0,0
refused "no runtime file" "$source/README.md" --point 0,0,0
refused "no such file" missing.impact --point 0,0,0
refused "no gaussian smear" halves.impact --point 0,0,0 --smear gaussian
refused "direction" halves.impact --point 0,0,0 --direction 0,0,0
refused "finite" halves.impact --point nan,0,0
refused "--sigma" halves.impact --point 0,0,0 --sigma -1
refused "--point" halves.impact --point 0,0
refused "--point" halves.impact
refused "a runtime file has none" halves.impact --point 0,0,0 --out pieces.h5

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))
