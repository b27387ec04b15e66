#!/usr/bin/env bash
# Inputs that hang a reader, redirect it to other files, control the terminal, or contain NaN; and words with a
# slip in them. Arguments: program, source folder, scratch folder.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
export OMPI_MCA_ess_singleton_isolated=1
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
fail() { echo "FAILED: $*"; exit 1; }

# refused TEXT ARGUMENTS...: exit code 2 within seconds, one line with the text.
refused() {
  local text=$1 status=0; shift
  timeout -k 1 20 "$program" "$@" > said.txt 2>&1 < /dev/null || status=$?
  [[ $status -eq 2 && $(grep -c -F -e "$text" said.txt) -eq 1 ]] || fail "\"$text\", code $status: brisance $*: $(cat said.txt)"
}
works() { "$program" "$@" > said.txt 2>&1 || fail "brisance $*: $(cat said.txt)"; }

# Names that control a terminal, in a scene that runs.
cat > scene.toml <<'EOF'
title = "red \u001b[31m title\u009b2J\u202e"
[[material]]
name = "foam\u001b]0;owned\u0007"
density_kg_m3 = 1000.0
youngs_modulus_pa = 1.0e6
poissons_ratio = 0.2
damping_time_s = 2e-4
[[object]]
[object.mesh]
shape = "box"
size_m = [0.1, 0.1, 0.1]
target_tets = 100
[[collider]]
name = "ground\u001b[2J"
normal = [0, 0, 1]
position_m = [0, 0, -0.2]
[time]
duration_s = 0.001
[output]
frame_interval_s = 0.001
EOF

# No regular file, wherever a file is expected.
mkfifo pipe.toml pipe.hdf pipe.h5 pipe.vtu
ln -s /dev/zero zero.toml
ln -s /dev/zero zero.hdf
truncate -s 200M large.toml
for command in "check pipe.toml" "run pipe.toml --out run" "check zero.toml" "info pipe.hdf" "info zero.hdf" \
  "info pipe.vtu" "render pipe.hdf" "diff pipe.hdf pipe.hdf" "impact pipe.h5 --point 0,0,0" "runtime pipe.h5 --out x" \
  "prefracture pipe.h5 --out x.h5" "play pipe.h5 --out run" "modes pipe.vtu --out x.h5" "evaluate pipe.vtu --scene scene.toml --out x.vtu" \
  "overlaps pipe.hdf"; do
  # shellcheck disable=SC2086  # words of their own
  refused "egular file" $command
done
refused "67108864 are the most" check large.toml
refused "is a folder" check .
[[ ! -e run && ! -e x && ! -e x.h5 && ! -e x.vtu ]] || fail "outputs of refused commands"

# Names that control a terminal are shown without effect: from scenes, snapshots, errors and the log.
escape=$'\x1b' bell=$'\x07'
no_control() { ! grep -q -P '[\x00-\x08\x0b\x0d-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae' "$@" || fail "control characters: $(cat -v "$@")"; }
works check scene.toml && no_control said.txt
grep -q -F 'red \x1B[31m title\u{9B}2J' said.txt || fail "the title is not shown: $(cat said.txt)"
works run scene.toml --out run && no_control said.txt run/run.log
works info run && no_control said.txt
grep -q -F 'collider "ground\x1B[2J"' said.txt && grep -q -F 'foam\x1B]0;owned\x07' said.txt || fail "$(cat said.txt)"
sed "s/^title.*/title = 1\n\"ke\\\\u001by\" = 2/" scene.toml > keys.toml
"$program" check keys.toml > said.txt 2>&1 && fail "unknown keys"
no_control said.txt
"$program" check "no${escape}such${bell}" > said.txt 2>&1 && fail "an absent scene"
no_control said.txt && grep -q -F 'no\x1Bsuch\x07' said.txt || fail "$(cat said.txt)"

# HDF5 files with external links, counts beyond the file's size, NaN.
if $python -c 'import h5py' 2>/dev/null; then
  works modes --shape box --tets 60 --count 6 --out box.modes.h5
  works modes --shape box --tets 200 --kind vibration --count 8 --out box.vibrations.h5
  works prefracture box.modes.h5 --out box.pieces.h5
  works run scene.toml --out kept --checkpoint-every 1h
  $python - <<'EOF'
import glob, shutil
import h5py, numpy as np

def changed(source, name, change):
    shutil.copy(source, name)
    with h5py.File(name, "r+") as file:
        change(file)

def outside(path):
    def change(file):
        del file[path]
        file[path] = h5py.ExternalLink(source, path)
    return change

checkpoint = sorted(glob.glob("kept/checkpoints/*.h5"))[-1]
for kind, source, path in (("snapshot", "run/snapshots/000001.hdf", "/VTKHDF/Points"), ("modes", "box.modes.h5", "/brisance_modes/energy"),
                           ("vibrations", "box.vibrations.h5", "/VTKHDF/Points"), ("pieces", "box.pieces.h5", "/VTKHDF/Points"),
                           ("checkpoint", checkpoint, "/brisance/checkpoint/nodes/id")):
    changed(source, f"outside_{kind}.h5", outside(path))

def put(path, value):
    def change(file):
        file[path][0] = value
    return change

def attribute(group, name, value):
    def change(file):
        file[group].attrs.modify(name, value)
    return change

frame = "run/snapshots/000001.hdf"
changed(frame, "nan_position.hdf", put("/VTKHDF/Points", np.nan))
changed(frame, "inf_velocity.hdf", put("/VTKHDF/PointData/velocity", np.inf))
changed(frame, "nan_time.hdf", attribute("/brisance", "time_s", np.nan))
changed(frame, "many_pieces.hdf", attribute("/brisance", "num_pieces", 10**15))
changed(frame, "minus_pieces.hdf", attribute("/brisance", "num_pieces", -5))
changed("box.vibrations.h5", "nan_frequency.h5", put("/brisance_vibration/frequency_Hz", np.nan))
changed("box.pieces.h5", "nan_gluing.h5", attribute("/brisance", "gluing", np.nan))
changed(checkpoint, "inf_checkpoint.h5", attribute("/brisance/checkpoint", "time_s", np.inf))
EOF
  for kind in snapshot modes vibrations pieces checkpoint; do refused "lies in another file" info outside_$kind.h5; done
  refused "lies in another file" render outside_snapshot.h5 --samples 1
  refused "lies in another file" prefracture outside_modes.h5 --out none.h5
  refused "the position of node 0 is nan" info nan_position.hdf
  refused "the velocity of node 0 is inf" info inf_velocity.hdf
  refused "time_s" info nan_time.hdf
  refused "num_pieces" info many_pieces.hdf
  refused "num_pieces" overlaps many_pieces.hdf
  refused "num_pieces" info minus_pieces.hdf
  refused "the position of node 0 is nan" overlaps nan_position.hdf
  refused "frequency_Hz" info nan_frequency.h5
  refused "gluing" info nan_gluing.h5
  refused "The file is damaged" info inf_checkpoint.h5
  cp nan_position.hdf run/snapshots/000001.hdf
  refused "the position of node 0 is nan" info run
  "$program" render run --samples 1 --width 16 --height 16 --out none > said.txt 2>&1 && fail "a picture of nan"
  grep -q "the position of node 0 is nan" said.txt || fail "$(cat said.txt)"
else
  echo "without HDF5 files: python3-h5py is not installed"
fi

# Misspelt words, and the suggested ones.
refused "there is no command rnu. Did you mean run?" rnu scene.toml
refused "there is no command chekc. Did you mean check?" chekc
refused "there is no command frobnicate. See brisance --help." frobnicate
refused "run has no option --overwirte. Did you mean --overwrite?" run scene.toml --out x --overwirte
refused "run has no option --ouput=x. Did you mean --out?" run scene.toml --ouput=x
refused "run has no option --rank. The launcher is told how many ranks there are: mpirun -n 4 brisance run" \
  run scene.toml --out x --rank 4
refused "mesh has no option --tetz. Did you mean --tets?" mesh --shape box --tetz 5 --out x.hdf
refused "cannot open the scene file bowll. Did you mean bowl?" run bowll --out x
refused "cannot open the scene file zzzzzzz. Check the name" run zzzzzzz --out x
refused "nosuch.h5: no such file" impact nosuch.h5
refused "nosuch.h5: no such file" impact nosuch.h5 --point 0,0,0 --out x.h5
refused "--point is required" impact scene.toml
refused "--point nan: every number must be finite" impact scene.toml --point nan,0,0
refused "--direction inf: every number must be finite" impact scene.toml --point 0,0,0 --direction 0,inf,0
refused "--fps nan: every number must be finite" play run --out x --fps nan
echo "hostile inputs: all refused"
