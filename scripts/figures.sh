#!/usr/bin/env bash
# Makes the pictures of docs/MODES.md, "What an impact does": one mug, struck again and again.
#
#   scripts/figures.sh --out /scratch/figures
#
#   --out DIR     folder for everything; by default runs/figures in the source folder, or figures-2 ... where that exists
# Installs missing Debian packages and builds first, if needed. Settings from the environment: scripts/lib.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

out=''
while (($#)); do
  case $1 in
    -h | --help) usage; exit ;;
    --out) (($# > 1)) || fail "--out needs a value."; out=$2; shift ;;
    --out=*) out=${1#--out=} ;;
    *) usage >&2; fail "what is $1?" ;;
  esac
  shift
done
[[ -n $out ]] || out=$(free_run_folder figures)
[[ ! -e $out ]] || fail "$out exists. Choose another --out."

install_packages
build_targets brisance brisance-tetgen brisance-solids
prepare_mpi 1 "$(nproc)"
brisance=(mpirun -n 1 "$build/brisance")
mkdir -p "$out"

# struck FIGURE NUMBER OPTIONS...: one blow, its pieces, their picture; says how many there are.
struck() {
  local folder=$out/$1 number=$2 answer
  shift 2
  mkdir -p "$folder"
  answer=$("${brisance[@]}" impact "$out/mug.modes.h5" --min-volume 0.002 "$@" --out "$folder/$number.h5")
  printf '%s  %s: %s\n' "${folder##*/}" "$*" "${answer%%$'\n'*}"
  "${brisance[@]}" render "$folder/$number.h5" --explode 0.25 --colour piece --width 320 --height 240 --samples 32 \
    --out "$folder" >"$folder/render.log"
}
sheet() { "${brisance[@]}" sheet "$out/$1" --out "$out/modes_$1.png" --overwrite --columns "$2" --width 320; }

source "$root/configs/modes/mug.conf"
"${brisance[@]}" modes "${modes[@]}" --out "$out/mug.modes.h5"
rim=(--point 0.042,0,0.05 --direction -1,0,0) side=(--point -0.042,0,0 --direction 1,0,0)
base=(--point 0,0,-0.05 --direction 0,0,1) handle=(--point 0.08,0,0 --direction -1,0,0)

number=0
for sigma in 2 1 0.5 0.2 0.02 0.001; do struck sigma $((++number)) "${rim[@]}" --sigma $sigma; done
sheet sigma 3
number=0
for blow in rim side base handle; do
  declare -n options=$blow
  struck blows $((++number)) "${options[@]}" --sigma 0.5
done
sheet blows 4
struck methods 1 "${rim[@]}" --sigma 0.3
struck methods 2 "${rim[@]}" --sigma 0.3 --least-squares
sheet methods 2
say "$out/modes_sigma.png, modes_blows.png, modes_methods.png"
