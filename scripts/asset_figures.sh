#!/usr/bin/env bash
# Measures `brisance assets` and `brisance dataset` (docs/ASSETS.md) on shapes of brisance itself. Processor seconds, so that
# other work on the machine changes little. `assets` also checks that pieces are closed, that hulls hold every vertex, and
# that the C library's names are nodes. usage: asset_figures.sh PROGRAM DIR assets|modes|run
# Smaller: TETS=1500 COUNT=20 (fields) in the environment.
set -euo pipefail
program=$(realpath "$1") part=$3
checks=$(cd "$(dirname "$0")/.." && pwd)/tests/cli/check_assets.py
tets=${TETS:-2500} count=${COUNT:-30}
mkdir -p "$2" && cd "$2"
# A shape a line: name, shape, keys. The first 20 are the assets', the first 8 those that are shot at.
shapes() {
  cat <<'LIST'
bowl bowl
mug mug
box box
goblet goblet
torus torus
hollow_ball hollow_ball
dumbbell dumbbell
cylinder solid_cylinder
pipe hollow_cylinder
amphora amphora
bone bone
chair chair
head head
notched_block notched_block
slab slab
wall wall size_m=[1.0,0.3,0.7]
brick box size_m=[0.24,0.115,0.07]
thick_bowl bowl thickness_m=0.04
thick_torus torus radius_m=0.1
thick_mug mug thickness_m=0.03
LIST
  local i
  for i in 1 2 3 4 5; do
    echo "bar_$i box size_m=[1.0,0.$((i + 1)),0.2]"
    echo "plate_$i box size_m=[1.0,0.$((i + 3)),0.1]"
    echo "bowl_$i bowl thickness_m=0.0$((i + 2)) radius_m=0.1$i"
    echo "ball_$i hollow_ball thickness_m=0.0$((i + 2)) radius_m=0.1$i"
  done
}
make_shapes() {  # COUNT
  mkdir -p "shapes_$1"
  shapes | sed -n "1,$1p" | while read -r name shape keys; do
    [[ -e shapes_$1/$name.vtu ]] && continue
    # shellcheck disable=SC2086
    "$program" mesh --shape "$shape" --tets "$tets" ${keys:+$(printf -- '--set %s ' $keys)} --out "shapes_$1/$name.vtu" > mesh.log 2>&1 ||
      { tail -n 2 mesh.log; exit 1; }
  done
}
cpu() {  # COMMAND…: CPU seconds of it and its children, on stderr's last line
  /usr/bin/env time -f '%U %S' -o time.txt "$@" > log.txt 2>&1 || echo "exit code $?: $(tail -n 2 log.txt)"
  awk '{ printf "%.1f CPU s\n", $1 + $2 }' time.txt
}
case $part in
  assets)
    make_shapes 20
    cpu "$program" assets shapes_20 --out assets --tets "$tets" --count "$count" --triangles-per-piece 300 --jobs 2 --no-picture
    cat assets/assets.csv
    for record in assets/*/record.json; do dirname "$record"; done |
      xargs /usr/bin/python3 "$checks" "$(dirname "$program")/libbrisance_impact.so" && echo "all pieces and hulls as they should be"
    ;;
  modes)
    make_shapes 40
    cpu "$program" dataset shapes_40 --impacts 20 --out dataset --tets "$tets" --count "$count" --jobs 2
    tail -n 1 log.txt && head -c 400 dataset/manifest.json
    ;;
  run)
    make_shapes 8
    cat > shot.toml <<'TOML'
[[material]]
preset = "glass"
[[object]]
[object.mesh]
shape = "box"
target_tets = 100
[[collider]]
shape = "sphere"
motion = "free"
radius_m = 0.03
density_kg_m3 = 7800
velocity_m_s = [0, 0, -60]
position_m = [0, 0, 3]
[time]
duration_s = 3e-4
[output]
frame_interval_s = 1.5e-4
TOML
    cpu "$program" dataset shapes_8 --impacts 2 --method run --scene shot.toml --out shots --tets 1500 --min-volume 0.01 --pieces 2:200 --jobs 2
    tail -n 1 log.txt && head -c 400 shots/manifest.json
    ;;
esac
