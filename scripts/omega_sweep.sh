#!/usr/bin/env bash
# Effect of the weight of breaking against deforming ([S22] figure 12): the first mode of a plate that
# may do both, for a row of weights. Prints a table and draws the modes.
#
#   scripts/omega_sweep.sh
#   scripts/omega_sweep.sh --out /scratch/sweep --omega "1 5 10" --plane my_plate.obj --triangles 800
#
#   --out DIR     folder for everything; by default runs/omega_sweep in the source folder, or omega_sweep-2, -3 ...
#   --omega LIST  weights [1/m²] ("0.1 1 3 6 10 20 40 100")
#   --ranks N     MPI ranks (1)
# Other options go to `brisance modes`; by default a notched plate 1 m long, of 500 triangles.
# Installs missing Debian packages and builds first, if needed. Settings from the environment: scripts/lib.sh.
set -euo pipefail
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/lib.sh"

out='' ranks=1 omega='0.1 1 3 6 10 20 40 100' options=()
while (($#)); do
  case $1 in
    -h | --help) usage; exit ;;
    --ranks | --out | --omega) (($# > 1)) || fail "$1 needs a value."; declare "${1#--}=$2"; shift ;;
    *) options+=("$1") ;;
  esac
  shift
done
[[ $ranks =~ ^[1-9][0-9]*$ ]] || fail "--ranks $ranks must be a whole number, 1 or more."
((${#options[@]})) || options=(--plane --shape notched_block --set 'size_m=[1,0.4,0.1]' --set notch_depth_m=0.15 --triangles 500)
[[ -n $out ]] || out=$(free_run_folder omega_sweep)
[[ ! -e $out ]] || fail "$out exists. Choose another --out."

prepare_program brisance brisance-tetgen brisance-solids
prepare_mpi "$ranks" "$(nproc)"
mkdir -p "$out"
number=0
for weight in $omega; do
  number=$((number + 1))
  name=$(printf '%02d_omega_%s' "$number" "$weight")
  mpirun -n "$ranks" "$brisance" modes "${options[@]}" --strain elastic --omega "$weight" --count 4 \
    --out "$out/$name.h5" >"$out/$name.log" || fail "$(tail -1 "$out/$name.log")"
  "$root/postprocess/mode_shapes.py" "$out/$name.h5" --modes 4 --out "$out" >/dev/null
done
mpirun -n 1 "$brisance" sheet "$out" --out "$out/sweep.png" --overwrite
/usr/bin/python3 - "$out" <<'PYTHON'
import pathlib, sys
import h5py
print("  omega    energy/omega    strain share    open faces")
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.h5")):
    with h5py.File(path) as file:
        ours, omega = file["brisance_modes"], float(path.stem.rpartition("_")[2])
        energy, jump = ours["energy"][3], ours["jump_003"][:]
        print(f"{omega:7g}    {energy / omega:12.5f}    {ours['strain_energy'][3] / energy:12.4f}    "
              f"{(jump > 0).sum():5} of {len(jump)}")
PYTHON
say "The first mode at each weight  $out/sweep.png"
