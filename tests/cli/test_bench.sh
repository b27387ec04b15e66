#!/usr/bin/env bash
# scripts/bench.sh: a short measurement is valid JSON with facts of the machine; a comparison finds slower results,
# and nothing else; wrong use is one line. Arguments: program, source folder, scratch folder.
set -euo pipefail
build=$(dirname "$1") bench=$2/scripts/bench.sh scratch=$3
[[ -x $build/tests/benchmarks/bench_contact ]] || { echo "skipped: the benchmarks are not built (BRISANCE_BENCHMARKS)"; exit 77; }
rm -rf "$scratch" && mkdir -p "$scratch"
cd "$scratch"
failed() { echo "FAILED: $*"; cat output; exit 1; }
# expect CODE ARGUMENTS...: of bench.sh
expect() {
  local code=$1 got=0
  shift
  "$bench" "$@" >output 2>&1 || got=$?
  ((got == code)) || failed "exit code $got, not $code: bench.sh $*"
}
says() { grep -qF -- "$1" output || failed "expected the text: $1"; }
# refused TEXT ARGUMENTS...: exit code 2, one line with that text
refused() {
  local text=$1
  shift
  expect 2 "$@"
  [[ $(wc -l <output) == 1 ]] || failed "not refused in one line: bench.sh $*"
  says "$text"
}

expect 0 --build "$build" --quick --only '^kernels/add_forces/(0|100)$|^modes/bowl$' --out now.json
/usr/bin/python3 - <<'PYTHON' || failed "now.json"
import json
report = json.load(open("now.json"))
assert report["format"] == "brisance benchmarks 1"
for fact in ("cpu", "cores", "vector_unit", "memory_gib", "compiler", "build", "date"):
    assert report["machine"][fact], fact
assert "commit" in report["machine"]
names = {r["name"]: r for r in report["results"]}
assert set(names) == {"kernels/add_forces/0", "kernels/add_forces/100", "modes/bowl"}, set(names)
assert all(1e-6 < r["seconds"] < 600 and r["repetitions"] == 1 for r in report["results"]), names
assert names["kernels/add_forces/100"]["counts"]["contacts"] > 0 == names["kernels/add_forces/0"]["counts"]["contacts"]
assert names["modes/bowl"]["counts"]["bytes"] > 1e5 and names["modes/bowl"]["wall_s"] > 0

def doctored(name, factor):
    copy = json.loads(json.dumps(report))
    copy["results"][0]["seconds"] *= factor
    json.dump(copy, open(name, "w"))
doctored("was_faster.json", 0.5)
doctored("was_slower.json", 2)
doctored("was_like.json", 0.9)
copy = json.loads(json.dumps(report))
copy["machine"]["cpu"] = "abacus"
copy["results"] = copy["results"][1:]
json.dump(copy, open("elsewhere.json", "w"))
json.dump({"format": "another", "results": []}, open("another.json", "w"))
PYTHON

expect 0 --from now.json --compare now.json
says "3 compared, 0 only before, 0 only now; 0 slower than 1.25 times"
expect 1 --from now.json --compare was_faster.json
says "3 compared, 0 only before, 0 only now; 1 slower than 1.25 times"
[[ $(grep SLOWER output) =~ ^kernels/add_forces/0\ .*\ 2\.00\ .*SLOWER$ ]] || failed "the slow-down is not where it was made"
expect 0 --from now.json --compare was_faster.json --tolerance 2.5
expect 0 --from now.json --compare was_slower.json
grep -q '^kernels/add_forces/0 .* 0\.50 .*faster$' output || failed "what is faster is not marked"
expect 0 --from now.json --compare was_like.json
expect 0 --from now.json --compare elsewhere.json
says "note: cpu is"
says "2 compared, 0 only before, 1 only now"

refused "absent.json cannot be read" --from now.json --compare absent.json
refused "another.json is no measurement of bench.sh" --from now.json --compare another.json
refused "output is no measurement of bench.sh" --from output --compare now.json
refused "leaves nothing to measure" --build "$build" --only nothing_of_that_name
refused "Write a regular expression" --build "$build" --only '('
refused "--repeat 0 must be 1 or more" --build "$build" --repeat 0
refused "--tolerance 1 must be above 1" --from now.json --compare now.json --tolerance 1
refused "is no build folder" --build "$scratch" --only modes
refused "unrecognized arguments: --fast" --from now.json --fast
expect 0 --help
says "--compare FILE"
echo "bench: as described"
