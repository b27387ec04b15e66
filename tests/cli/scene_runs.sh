# Sourced by tests that run scenes of configs/: sets program, source, scratch (emptied) and failures from the arguments
# PROGRAM SOURCE_DIR SCRATCH_DIR.
set -u
program=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch"
failures=0
always=()  # options of every run
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
# run NAME RANKS SCENE OPTIONS...: results in $scratch/NAME
run() {
  local name=$1 ranks=$2 scene=$3; shift 3
  timeout 600 mpirun -q -n "$ranks" "$program" run "$source/configs/$scene.toml" --out "$scratch/$name" "${always[@]}" "$@" \
    > "$scratch/$name.txt" 2>&1 || fail "$scene on $ranks rank(s): $(tail -n 5 "$scratch/$name.txt")"
}
# holds WHAT EXPRESSION: awk finds it true
holds() { awk "BEGIN { exit !($2) }" || fail "$1: $2"; }
# same NAME NAME: the same bits
same() { "$program" diff "$scratch/$1" "$scratch/$2" > "$scratch/diff.txt" 2>&1 || fail "$1, $2: $(head -3 "$scratch/diff.txt")"; }
# closes_to NAME PERCENT: the account of energy, of its largest term
closes_to() {
  local imbalance
  imbalance=$(sed -n 's/.*largest imbalance .* (\([0-9.]*\) % of the largest term).*/\1/p' "$scratch/$1.txt")
  holds "$1: energy" "${imbalance:-99} < $2"
}
