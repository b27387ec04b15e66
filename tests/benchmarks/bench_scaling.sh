#!/usr/bin/env bash
# A scene on one rank and on two: milliseconds a step, million element updates a second, seconds a phase, peak bytes a
# tet (all ranks together, program and libraries included), and how much faster two ranks are. Needs GNU time.
#   tests/benchmarks/bench_scaling.sh build/release/brisance configs/wall_heavy.toml [--set key=value ...]
set -euo pipefail
program=$(realpath "$1")
scene=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Sum over the intervals of monitor.csv: steps x tets, both at the interval's end.
element_updates() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
           { sum += ($at["step"] - last) * $at["tets"]; last = $at["step"] }
           END { print sum }' "$1/monitor.csv"
}
last_tets() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next } { tets = $at["tets"] } END { print tets }' \
    "$1/monitor.csv"
}

for ranks in 1 2; do
  out=$folder/$ranks
  mpirun -q --oversubscribe -n "$ranks" /usr/bin/time -a -o "$folder/rss.$ranks" -f %M \
    "$program" run "$scene" --out "$out" "$@" > "$folder/log.$ranks" 2>&1 || { tail "$folder/log.$ranks"; exit 1; }
  read -r steps seconds < <(sed -n 's/.* \([0-9]*\) steps in \([0-9.]*\) s;.*/\1 \2/p' "$out/run.log")
  kib=$(awk '{ sum += $1 } END { print sum }' "$folder/rss.$ranks")
  awk -v r="$ranks" -v n="$steps" -v s="$seconds" -v u="$(element_updates "$out")" -v k="$kib" -v t="$(last_tets "$out")" \
    'BEGIN { printf "%d rank(s): %d steps, %.4g ms/step, %.4g Melem/s, %d tets at the end, %.0f bytes/tet\n",
             r, n, 1e3 * s / n, 1e-6 * u / s, t, 1024 * k / t }'
  sed -n 's/.*debug seconds: /           seconds: /p' "$out/run.log"
  echo "$seconds" > "$folder/seconds.$ranks"
done
awk 'NR == FNR { one = $1; next } { printf "two ranks: %.2f times as fast\n", one / $1 }' \
  "$folder/seconds.1" "$folder/seconds.2"
