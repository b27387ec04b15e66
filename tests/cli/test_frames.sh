#!/usr/bin/env bash
# Pictures have no effect: for any number of pictures of a breaking block its last frame has the same bits. Arguments:
# program, source folder, scratch folder.
set -uo pipefail
program=$1 source_dir=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }

scene=$source_dir/tests/cases/hard_landing/scene.toml
for interval in 2e-4 6e-4 14e-4; do
  "$program" run "$scene" --out "every_$interval" --set time.duration_s=0.0042 --set "output.frame_interval_s=$interval" \
    --set object.mesh.edge_length_m=0.03 > "$interval.txt" 2>&1 || fail "$(cat "$interval.txt")"
  cp "$(ls "every_$interval"/snapshots/*.hdf | tail -n 1)" "last_$interval.hdf"
done
"$program" info every_14e-4 > info.txt || fail "$(cat info.txt)"
grep -q "(0 of cracks)" info.txt && fail "nothing broke: $(cat info.txt)"
for interval in 6e-4 14e-4; do
  "$program" diff last_2e-4.hdf "last_$interval.hdf" > diff.txt 2>&1
  differing=$(grep '^  ' diff.txt)  # one line a field; only the number of the frame may
  [[ $differing =~ ^"  frame: a has 21, b has "[37]$ ]] || fail "frames every $interval s: $(cat diff.txt)"
done

# Every frame and every row is of the first step at or past its time, and states that step's time.
/usr/bin/python3 - <<'EOF' || fail "times of frames"
import csv, json
for name, interval in [("every_2e-4", 2e-4), ("every_6e-4", 6e-4), ("every_14e-4", 14e-4)]:
    times = [f["time"] for f in json.load(open(f"{name}/run.hdf.series"))["files"]]
    rows = list(csv.DictReader(open(f"{name}/monitor.csv")))
    steps = {float(r["time_s"]): float(r["dt_s"]) for r in rows}
    assert len(times) == round(0.0042 / interval) + 1, (name, times)
    for i, time in enumerate(times):
        late = time - i * interval
        assert -1e-9 * interval <= late and (i == 0 or late < steps[time]), (name, i, time)
EOF

echo "frames: passed"
