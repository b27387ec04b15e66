#!/usr/bin/env bash
# The commands of README.md, "Stopped, killed, resumed", as they stand there, one after the other: run, resume, branch.
# Arguments: program, source folder, scratch folder.
set -uo pipefail
program=$1 source_dir=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch/bin" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }
ln -s "$program" bin/brisance && cp -r "$source_dir/configs" .
export PATH=$PWD/bin:$PATH
mapfile -t commands < <(awk '/^## /{inside = ($0 == "## Stopped, killed, resumed"); code = 0} inside && /^```/{code = !code; next} inside && code' \
  "$source_dir/README.md")
((${#commands[@]} >= 3)) || fail "only ${#commands[@]} commands in README.md"
for command in "${commands[@]}"; do
  bash -c "$command" >said.txt 2>&1 || fail "$command: $(tail -n 5 said.txt)"
done
grep -q "holds this run, finished" <(bash -c "${commands[1]}" 2>&1) || fail "the second command of a finished run"
branch=$(sed -n 's/.* --out \([^ ]*\) --branch .*/\1/p' <<<"${commands[*]: -1}")
grep -q '"status": "finished"' "$branch/run.json" || fail "$(cat "$branch/run.json")"
grep -q '"branched_from": "/.*/checkpoints/' "$branch/run.json" || fail "$(cat "$branch/run.json")"
echo "README's chain: ${#commands[@]} commands"
