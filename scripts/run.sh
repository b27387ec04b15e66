#!/usr/bin/env bash
# Simulates a scene and makes pictures of it.
#
#   scripts/run.sh configs/bowl.toml
#   scripts/run.sh configs/wall_heavy.toml --ranks 4 --out /scratch/wall
#   scripts/run.sh my_scene.toml --set time.duration_s=0.1
#
#   --ranks N     MPI ranks; by default the tasks of the SLURM job, else the cores, at most 8
#   --out DIR     run folder; by default runs/NAME in the source folder, or NAME-2, NAME-3 ... where that exists
#   --overwrite   replace the run in that folder
# TERM, HUP and USR2 end the run with a checkpoint and exit code 75; the same command with --out and --resume continues.
# Other options go to `brisance run` (see build/release/brisance run --help).
# Installs missing Debian packages and builds first, if needed. brisance-solids, minutes of compiling, is built once a
# scene needs it (shapes of several parts, surface files), or after the first run. Settings from the environment:
# scripts/lib.sh.
set -euo pipefail
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/lib.sh"

# Cores this process may use, counting hyper-threads once.
physical_cores() {
  local cores
  cores=$(lscpu -p=Core,Socket 2>/dev/null | grep -v '^#' | sort -u | wc -l || true)
  if ((cores > 0 && cores < $(nproc))); then echo "$cores"; else nproc; fi
}

scene='' ranks='' out='' overwrite='' options=()
while (($#)); do
  case $1 in
    -h | --help) usage; exit ;;
    --ranks | --out) (($# > 1)) || fail "$1 needs a value."; declare "${1#--}=$2"; shift ;;
    --ranks=* | --out=*) name=${1%%=*}; declare "${name#--}=${1#*=}" ;;
    --overwrite) overwrite=--overwrite ;;
    *.toml) if [[ -z $scene ]]; then scene=$1; else options+=("$1"); fi ;;
    *) options+=("$1") ;;
  esac
  shift
done
[[ -n $scene ]] || { usage >&2; fail "name a scene file (.toml); the ones that come along are in $root/configs."; }
scene=$(find_input "$scene")
[[ -f $scene ]] || fail "there is no scene file $scene. The ones that come along are in $root/configs."

cores=${SLURM_NTASKS:-$(physical_cores)}
# The scenes of the repository are small: beyond eight ranks they gain little.
: "${ranks:=${SLURM_NTASKS:-$((cores < 8 ? cores : 8))}}"
[[ $ranks =~ ^[1-9][0-9]*$ ]] || fail "--ranks $ranks must be a whole number, 1 or more."
name=$(basename "$scene" .toml)
[[ -n $out || -z $overwrite ]] || out=$runs/$name
[[ -n $out ]] || out=$(free_run_folder "$name")

prepare_program
prepare_mpi "$ranks" "$cores"
set_launch "$ranks"

say "$name on $ranks rank(s) -> $out"
marker=$out/run.json
listen
with_solids attend "${launch[@]}" "$brisance" run "$scene" --out "$out" $overwrite ${options[@]+"${options[@]}"} || exit
trap - TERM USR2 HUP
"${launch[@]}" "$brisance" render "$out" --preview --sheet "$out/contact_sheet.png"
# A page for the browser; without its libraries (packages.txt) the run is complete all the same.
page=$out/report.html
"${launch[@]}" "$brisance" report "$out" || page="(not made, see above)"

say "
A page for the browser     $page
The whole run at a glance  $out/contact_sheet.png
Every picture              $out/pictures/  (previews; in full: $brisance render $out)
In ParaView                $out/run.hdf.series
Energies, counts, timings  $out/monitor.csv
For Blender                $brisance export $out --to blender --out $out/blender
GLB, USD, OBJ, PLY, VTP    $brisance export --help"
build_solids_too
