#!/bin/bash
# Pictures of a finished run with materials and lights: from its scene, from a file of tables, by --set; and what is
# refused, with one clear error each.
set -euo pipefail
program=$1 source=$2 scratch=$3
rm -rf "$scratch"; mkdir -p "$scratch"; cd "$scratch"

cat > scene.toml <<'SCENE'
[[material]]
name = "glass"
density_kg_m3 = 2500.0
youngs_modulus_pa = 1.0e7
poissons_ratio = 0.2

[[object]]
name = "block"
lowest_point_m = 0.001
[object.mesh]
shape = "box"
size_m = [0.2, 0.2, 0.2]
edge_length_m = 0.1

[[collider]]
name = "ground"
shape = "plane"
normal = [0.0, 0.0, 1.0]

[time]
duration_s = 0.001

[camera]
width = 96
height = 64

[render]
samples = 4

[[render.material]]
name = "pane"
kind = "dielectric"
index = 1.5

[[render.object]]
object = "block"
outside = "pane"
cracks = "pane"
SCENE

cat > tables.toml <<'TABLES'
[camera]
width = 48
height = 32
[render]
samples = 2
[[render.material]]
name = "gold"
kind = "conductor"
metal = "gold"
roughness = 0.3
[[render.object]]
outside = "gold"
cracks = "gold"
TABLES

fail() { echo "FAILED: $*"; exit 1; }
size_of() { /usr/bin/python3 -c 'import sys; from PIL import Image; print(*Image.open(sys.argv[1]).size)' "$1"; }

# $1: text of the error; the rest: arguments of render. One error, exit code 1 or 2, no picture left.
refused() {
  local text=$1; shift
  rm -rf refused
  if "$program" render "$@" --out refused > out.txt 2>&1; then fail "accepted: $*"; fi
  grep -qF -- "$text" out.txt || { cat out.txt; fail "the error does not say '$text'"; }
  [ "$(grep -ci 'error' out.txt)" -le 1 ] || { cat out.txt; fail "more than one error"; }
  [ -z "$(find refused -name '*.png' 2>/dev/null)" ] || fail "a picture is left"
}

"$program" run scene.toml --out run > run.txt 2>&1 || { cat run.txt; fail "the run"; }
"$program" render run --out of_scene > log.txt 2>&1 || { cat log.txt; fail "pictures of the scene"; }
first=$(ls of_scene | head -1)
[ "$(size_of of_scene/$first)" = "96 64" ] || fail "the size in the scene"
grep -q "rays" log.txt || fail "rays are not logged"
"$program" render run --out plain --set render.object[0].outside= --set render.object[0].cracks= > log.txt 2>&1 || { cat log.txt; fail "--set"; }
cmp -s of_scene/$first plain/$first && fail "the material of the scene has no effect"
"$program" render run --out tables --scene-render tables.toml > log.txt 2>&1 || { cat log.txt; fail "--scene-render"; }
[ "$(size_of tables/$first)" = "48 32" ] || fail "the size in the tables"
"$program" render run --out threads --threads 3 > log.txt 2>&1 || { cat log.txt; fail "--threads"; }
cmp of_scene/$first threads/$first || fail "threads change the picture"

# tables.toml with one line replaced
wrong() { sed "$1" tables.toml > wrong.toml; }
wrong 's/"conductor"/"velvet"/';                     refused 'one of diffuse' run --scene-render wrong.toml
wrong 's/outside = "gold"/outside = "silver"/';      refused 'Did you mean "gold"' run --scene-render wrong.toml
wrong 's/roughness = 0.3/roughness = 3.0/';          refused 'between 0 and 1' run --scene-render wrong.toml
wrong 's/roughness = 0.3/index = 1.5/';              refused 'not a parameter of the kind "conductor"' run --scene-render wrong.toml
wrong 's/metal = "gold"/metal = "wood"/';            refused 'aluminium' run --scene-render wrong.toml
wrong 's/"conductor"/"dielectric"/; s/metal = "gold"/index = 0.9/'; refused 'index = 0.9' run --scene-render wrong.toml
wrong 's/"conductor"/"diffuse"/; s/metal.*/colour = [0.5, 1.2, 0.5]/; /roughness/d'; refused 'between 0 and 1' run --scene-render wrong.toml
wrong 's/"conductor"/"texture"/; s/metal.*/file = "absent.png"/; /roughness/d'; refused 'absent.png' run --scene-render wrong.toml
wrong 's/"conductor"/"texture"/; s/metal.*/size_m = 0.1/; /roughness/d'; refused 'needs file' run --scene-render wrong.toml
wrong 's/^outside/object = "bowl"\noutside/';        refused 'Did you mean "block"' run --scene-render wrong.toml
wrong '$a [[render.light]]\nkind = "environment"\nfile = "absent.png"'; refused 'absent.png' run --scene-render wrong.toml
wrong '$a [[render.light]]\nkind = "sphere"\nradius_m = 0.1'; refused 'needs centre_m' run --scene-render wrong.toml
wrong '$a [tiem]\nduration_s = 1.0';                 refused 'unknown key tiem' run --scene-render wrong.toml
wrong '$a [time]\nduration_s = 1.0'
"$program" render run --out whole --scene-render wrong.toml > log.txt 2>&1 || { cat log.txt; fail "a whole scene"; }
cmp tables/$first whole/$first || fail "other tables of a whole scene change the picture"
wrong 's/^height/sharpness = 2\nheight/';            refused 'unknown key camera.sharpness' run --scene-render wrong.toml
wrong 's/^samples/branching_depth = 9\nmax_depth = 5\nsamples/'; refused 'branching_depth' run --scene-render wrong.toml
echo 'not a picture' > broken.png
wrong 's/"conductor"/"texture"/; s/metal.*/file = "broken.png"/; /roughness/d'; refused 'broken.png' run --scene-render wrong.toml
wrong '$a [[camera.key]]\ntime_s = 0.0\neye_m = [1.0, 0.0, 1.0]\n[[camera.key]]\ntime_s = 0.0\neye_m = [0.0, 1.0, 1.0]'
refused 'must ascend' run --scene-render wrong.toml
wrong 's/^width/automatic = false\neye_m = [0.01, 0.02, 0.1]\ntarget_m = [1.0, 0.0, 0.1]\nwidth/'
refused 'inside an object' run --scene-render wrong.toml
refused 'only keys of render and camera' run --set time.duration_s=2
refused 'samples per pixel must be' run --samples 0
refused 'absent.toml' run --scene-render absent.toml

# A camera that moves: its first and last frames are those of the keys.
cat > moving.toml <<'TABLES'
[camera]
width = 48
height = 32
[[camera.key]]
time_s = 0.0
eye_m = [0.8, -0.8, 0.4]
target_m = [0.0, 0.0, 0.1]
[[camera.key]]
time_s = 0.001
eye_m = [-0.8, -0.8, 0.4]
target_m = [0.0, 0.0, 0.1]
TABLES
sed '/camera.key/,$d' moving.toml > still.toml
printf 'automatic = false\neye_m = [0.8, -0.8, 0.4]\ntarget_m = [0.0, 0.0, 0.1]\n' >> still.toml
"$program" render run --out moving --scene-render moving.toml > log.txt 2>&1 || { cat log.txt; fail "a moving camera"; }
"$program" render run --out still --scene-render still.toml > log.txt 2>&1 || { cat log.txt; fail "a still camera"; }
/usr/bin/python3 "$source/tests/cli/same_pixels.py" moving/$first still/$first || fail "the first frame is not that of the first key"
last=$(ls moving | tail -1)
/usr/bin/python3 "$source/tests/cli/same_pixels.py" moving/$last still/$last && fail "the camera does not move"
echo "pictures with materials, lights and a moving camera"
