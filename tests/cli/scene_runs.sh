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
  timeout 600 mpirun -q -n "$ranks" "$program" run "$source/configs/$scene.toml" --out "$scratch/$name" --verbose "${always[@]}" "$@" \
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
# once_and_again NAME SCENE OPTIONS...: results in $scratch/NAME; the first of a test once more, on three ranks to half of its
# time, where it stops with a checkpoint, and from there on two, while nodes change their owners whenever ranks have
# different work: the same bits. Golden cases and mpi tests show that for each kind of physics.
repeated=''
plain_ranks=2  # of the others
once_and_again() {
  local name=$1 again=$1.again divided='work redistributed' duration
  run "$name" $((${#repeated} ? plain_ranks : 1)) "${@:2}"
  [[ -z $repeated ]] || return 0
  repeated=$name
  duration=$(awk '$1 == "duration_s" { print $3; exit }' "$scratch/$name/scene.toml")
  run "$again" 3 "${@:2}" --set time.rebalance_above=1 --set time.duration_s="$(awk "BEGIN { print $duration / 2 }")" --checkpoint-every 1h
  grep -q "$divided" "$scratch/$again.txt" || fail "$again: no node changed its owner"
  run "$again" 2 "${@:2}" --set time.rebalance_above=1 --set time.duration_s="$duration" --resume
  grep -q "$divided" "$scratch/$again.txt" || fail "$again: no node changed its owner after the stop"
  grep -q 'resumed at step .* from a checkpoint of 3 ranks on 2' "$scratch/$again.txt" || fail "$again: not gone on with"
  same "$name" "$again"
}
