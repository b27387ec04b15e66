#!/usr/bin/env bash
# Finds the fracture modes of an object, takes it apart along them, drops it, and makes pictures and meshes of both.
#
#   scripts/break.sh configs/modes/mug.conf
#   scripts/break.sh configs/modes/mug.conf --out /scratch/mug --tets 50000 --count 60
#   scripts/break.sh my_vase.obj --tets 20000
#
#   --out DIR     folder for everything; by default runs/NAME in the source folder, or NAME-2, NAME-3 ... where that exists
#   --ranks N     MPI ranks for the modes and the pictures (1)
# Other options go to `brisance modes`, after those of the recipe. A recipe is a list of options for each command that is
# called; copy one from configs/modes for your own model.
# Installs missing Debian packages and builds first, if needed. Settings from the environment: scripts/lib.sh.
set -euo pipefail
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/lib.sh"

what='' out='' ranks=1 options=()
while (($#)); do
  case $1 in
    -h | --help) usage; exit ;;
    --ranks | --out) (($# > 1)) || fail "$1 needs a value."; declare "${1#--}=$2"; shift ;;
    --ranks=* | --out=*) name=${1%%=*}; declare "${name#--}=${1#*=}" ;;
    *) if [[ -z $what && $1 != -* ]]; then what=$1; else options+=("$1"); fi ;;
  esac
  shift
done
[[ -n $what ]] || { usage >&2; fail "name a recipe of $root/configs/modes, or a mesh of your own."; }
what=$(find_input "$what")
[[ -f $what ]] || fail "there is no file $what. The recipes that come along are in $root/configs/modes."
[[ $ranks =~ ^[1-9][0-9]*$ ]] || fail "--ranks $ranks must be a whole number, 1 or more."

# What a recipe may set: options of the commands of these names.
modes=() prefracture=() play=() render=(--width 480 --height 360 --dust 0.03)
case $what in
  *.conf) source "$what" ;;
  *) modes=("$what" --tets 20000) ;;
esac
name=$(basename "${what%.*}")
[[ -n $out ]] || out=$(free_run_folder "$name")
[[ ! -e $out ]] || fail "$out exists. Choose another --out."

prepare_program brisance brisance-tetgen brisance-solids
prepare_mpi "$ranks" "$(nproc)"
launch=(mpirun -n "$ranks" "$brisance") alone=(mpirun -n 1 "$brisance")

say "$name -> $out"
mkdir -p "$out"
"${launch[@]}" modes ${modes[@]+"${modes[@]}"} ${options[@]+"${options[@]}"} --out "$out/modes.h5"
"${alone[@]}" prefracture "$out/modes.h5" ${prefracture[@]+"${prefracture[@]}"} --out "$out/pieces.h5"
"${alone[@]}" play "$out/modes.h5" ${play[@]+"${play[@]}"} --out "$out/play"
"${launch[@]}" render "$out/pieces.h5" --explode 0.4 --colour piece --out "$out/pictures"
"${launch[@]}" render "$out/play" --colour piece ${render[@]+"${render[@]}"} --sheet "$out/contact_sheet.png"
"$root/postprocess/pieces.py" "$out/pieces.h5" --format glb --out "$out/meshes"
"$root/postprocess/animate.py" "$out/play" --out "$out/drop.glb"

say "
The drop at a glance       $out/contact_sheet.png
The drop as animated GLB   $out/drop.glb
The pieces moved apart     $out/pictures/pieces.png
All pieces as meshes       $out/meshes/pieces.glb
The drop in ParaView       $out/play/run.hdf.series
The modes in ParaView      $out/modes.h5
Other formats, one file each: $root/postprocess/pieces.py $out/pieces.h5 --format obj --split --out DIR"
