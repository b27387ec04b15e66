#!/usr/bin/env bash
# Errors of users and failures of machines: one clear message on stderr, a non-zero exit code on every number of
# ranks within seconds, no partial file under its final name, nothing of theirs overwritten.
# usage: test_bad_input.sh PROGRAM SOURCE_DIR SCRATCH_DIR
set -u
program=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch"
cd "$scratch" || exit 1
export OMPI_MCA_ess_singleton_isolated=1  # a single rank starts without a daemon of its own
failures=0
fail() { echo "FAILED: $1"; sed 's/^/  /' stderr.txt | head -12; failures=$((failures + 1)); }

# Ranks matter where errors are agreed on: cases that rank 0 alone decides are repeated on three ranks once a kind.
# alone COMMAND...: one rank, which needs no mpirun. together RANKS COMMAND...: each rank notes its own exit code, and
# mpirun, which would kill the others once one has failed, is told to let them end by themselves.
alone() {
  rm -rf codes && mkdir codes
  timeout 60 "$@" > stdout.txt 2> stderr.txt; echo $? > codes/0
}
together() {
  rm -rf codes && mkdir codes
  timeout 60 mpirun -q --mca orte_abort_on_non_zero_status 0 -n "$1" \
    bash -c '"$@"; echo $? > "codes/$OMPI_COMM_WORLD_RANK"' rank "${@:2}" > stdout.txt 2> stderr.txt
}
on_ranks() { if [ "$1" -eq 1 ]; then alone "${@:2}"; else together "$@"; fi; }
# ended RANKS CODE WHAT: every rank ended by itself, with that exit code.
ended() {
  [ "$(cat codes/* | sort | uniq -c | tr -s ' ')" = " $1 $2" ] || fail "$3: exit codes of $1 rank(s): $(cat codes/* | xargs)"
}
# one_message WHAT PATTERN: exactly one error message, which holds the pattern.
one_message() {
  [ "$(grep -c 'brisance: error: ' stderr.txt)" -eq 1 ] || fail "$1: not exactly one message"
  grep 'brisance: error: ' stderr.txt | grep -q -F -e "$2" || fail "$1: no \"$2\""
}
# refused RANKS CODE PATTERN ARGUMENTS...: brisance ends with that exit code on every rank and one error message.
refused() {
  local ranks=$1 code=$2 pattern=$3 what; shift 3; what="$ranks rank(s): brisance $*"
  on_ranks "$ranks" "${launcher[@]}" "$@"
  ended "$ranks" "$code" "$what"
  one_message "$what" "$pattern"
}
# accepted RANKS ARGUMENTS...: brisance ends with 0 on every rank.
accepted() {
  local ranks=$1; shift
  on_ranks "$ranks" "${launcher[@]}" "$@"
  ended "$ranks" 0 "$ranks rank(s): brisance $*"
}
launcher=("$program")
# absent PATH...: no such file, neither complete nor half written.
absent() { for f in "$@"; do [ ! -e "$f" ] && [ ! -e "$f.writing" ] || fail "$f was left behind"; done; }
unchanged() { sha256sum --quiet -c "$1" > /dev/null 2>&1 || fail "files of $1 were changed"; }

# A small scene that runs in a second: a plate of few tets thrown at the ground.
cat > scene.toml <<'SCENE'
title = "plate"
[[material]]
name = "plate"
density_kg_m3 = 1000.0
youngs_modulus_pa = 1.0e7
poissons_ratio = 0.2
damping_phi_pa_s = 10.0
damping_psi_pa_s = 10.0
strength_pa = 6.0e4
[[object]]
material = "plate"
lowest_point_m = 0.001
velocity_m_s = [0.0, 0.0, -4.0]
[object.mesh]
shape = "box"
size_m = [0.2, 0.05, 0.2]
target_tets = 300
[[collider]]
shape = "plane"
normal = [0.0, 0.0, 1.0]
[time]
duration_s = 0.004
[output]
frame_interval_s = 0.001
SCENE

# -- surfaces that cannot be filled, and odd ones that can ----------------------------------------------------------
python3 "$source/tests/cli/bad_surfaces.py" . || exit 1
surface() { refused "$1" 2 "$2" mesh "$3" --tets 1000 --out "$3.hdf"; absent "$3.hdf"; }
surface 1 "truncated.obj:483: the face has 1 corners" truncated.obj
surface 1 "the file is empty" empty.obj
surface 1 "nan.obj:1: coordinate x is nan" nan.obj
surface 1 "a corner of the face is not one of the file's 182 vertices" index.obj
surface 1 "it is open: 7 edges" open.obj
surface 3 "it is open: 7 edges" open.obj
surface 1 "it intersects itself" crossing.obj
surface 1 "does not bound a solid" flat.obj
surface 1 "fewer than 3 corners at different places" point.obj
surface 1 "the file ends inside facet 101" truncated.stl
printf 'v 0 0 0\nv 1e90 0 0\nv 0 1 0\nf 1 2 3\n' > far.obj
surface 1 "far.obj:2: the point (1e+90, 0, 0) lies beyond" far.obj
refused 1 2 "too slender" mesh --shape box --set size_m=[1e6,1,1] --out slender.hdf
refused 1 2 "this machine can hold about" mesh --shape box --edge 1e-9 --out fine.hdf
for file in valid_*.obj; do
  accepted 1 mesh "$file" --tets 1000 --out "$file.hdf"
  [ -e "$file.hdf" ] || fail "$file made no mesh"
done
for file in open.obj crossing.obj; do accepted 1 mesh "$file" --tets 1000 --set repair=true --out "$file.hdf"; done

# `check` opens the files that a scene names.
for file in truncated open crossing nan; do
  sed -e "s/^shape = \"box\"/file = \"$file.obj\"/" -e '/^size_m/d' scene.toml > $file.toml
done
refused 1 2 "crossing.obj: the surface does not bound a solid: it intersects itself" check crossing.toml
refused 3 2 "open.obj: the surface does not bound a solid: it is open" check open.toml
refused 1 2 "truncated.obj:483: the face has 1 corners" check truncated.toml
refused 1 2 "nan.obj:1: coordinate x is nan" check nan.toml
accepted 1 check open.toml --set object.mesh.repair=true --set object.lowest_point_m=0
grep -q "open.obj: wrapped" stdout.txt || fail "check is silent about a wrap"

# -- tet meshes: without volume, inverted; a single tet on more ranks than it has nodes -------------------------------
nodes() { printf '4 3 0 0\n0 0 0 1\n1 1 0 1\n2 0 1 1\n3 %s\n' "$1"; }
nodes "0.5 0.5 1" > flat.node; nodes "0 0 2" > one.node; nodes "nan 0 2" > nantet.node
cp one.node turned.node
printf '5 3 0 0\n0 0 0 1\n1 1 0 1\n2 0 1 1\n3 0 0 2\n4 1 1 2\n' > mixed.node
for name in flat one nantet; do printf '1 4 0\n0 0 1 2 3\n' > $name.ele; done
printf '1 4 0\n0 0 1 3 2\n' > turned.ele               # a single tet, listed the other way round
printf '2 4 0\n0 0 1 2 3\n1 1 3 2 4\n' > mixed.ele    # the second tet is inverted
for name in flat one nantet turned mixed; do
  sed -e "s/^shape = \"box\"/file = \"$name.ele\"/" -e '/^size_m/d' -e '/^target_tets/d' scene.toml > $name.toml
done
inverted="mixed.ele:3: 1 of 2 tets is inverted at the start (negative volume): tet 1, counted from 0. Swap two corners"
for ranks in 1 3; do
  refused $ranks 2 "holds no tet with a volume" run flat.toml --out run_flat_$ranks
  refused $ranks 2 "$inverted" run mixed.toml --out run_mixed_$ranks
  absent run_{flat,mixed}_$ranks/snapshots/000000.hdf
done
refused 1 2 "nantet.node" run nantet.toml --out run_nan
refused 1 2 "$inverted" check mixed.toml --mesh
refused 1 2 "$inverted" evaluate mixed.ele --scene scene.toml --out mixed.vtu
absent mixed.vtu
accepted 1 run turned.toml --out run_turned
grep -q "lists the corners of every tet (1 tet) the other way round" stdout.txt || fail "a turned mesh is not mentioned"
nodes "0 0 2" > three.node; printf '4 0 0 3\n' >> three.node; sed -i '1s/4/5/' three.node
printf '2 4 1\n0 0 1 2 3 0\n1 1 2 3 4 5\n' > three.ele  # of two regions, 0 and 5
sed -e "s/^shape = \"box\"/file = \"three.ele\"/" -e '/^size_m/d' -e '/^target_tets/d' scene.toml > three.toml
for command in "run three.toml --out run_three" "check three.toml"; do
  refused 1 2 "three.ele has regions 0 to 5, but the scene has materials 0 to 0" $command
done
for ranks in 1 3 7; do accepted $ranks run one.toml --out run_one_$ranks; done
for run in run_one_3 run_one_7 run_turned; do accepted 1 diff run_one_1 $run; done

# -- scenes -----------------------------------------------------------------------------------------------------------
refused 1 2 "cannot open the scene file absent.toml" run absent.toml --out run_scene
refused 1 2 "unknown key" run scene.toml --set fracture.snap_fracton=0.1 --out run_scene
refused 1 2 "must be a number" run scene.toml --set 'material.density_kg_m3="heavy"' --out run_scene
refused 1 2 "must be positive" run scene.toml --set material.density_kg_m3=-2700 --out run_scene
refused 3 2 "must be positive" run scene.toml --set material.density_kg_m3=-2700 --out run_scene
absent run_scene

# Impossible plastic flow, and toughness without the keys it needs.
refused 1 2 "plastic_limit = 1.2247 must" check scene.toml --set material.plastic_limit=1.2247
refused 1 2 "it breaks before it flows" check scene.toml --set material.plastic_limit=0.2 --set material.yield_stress_pa=1e5
refused 1 2 "elongation_at_break = 0.42 must" check scene.toml --set material.elongation_at_break=0.42
sed '/^youngs_modulus_pa\|^poissons_ratio/d' scene.toml > soft.toml
refused 1 2 "k_ic_pa_sqrt_m says nothing without the stiffness" check soft.toml --set material.k_ic_pa_sqrt_m=1e5 --set fracture.toughness=energy

# An invalid start is refused, and an unusual one reported, by check as by run.
buried=(--set object.lowest_point_m=-100)
refused 1 2 'object "object" starts wholly inside collider "unnamed", up to 100 m deep' run scene.toml --out run_buried "${buried[@]}"
refused 3 2 'object "object" starts wholly inside collider "unnamed", up to 100 m deep' check scene.toml "${buried[@]}"
sed 's/^\[\[collider/[[object]]\n[object.mesh]\nshape = "box"\nsize_m = [0.1, 0.1, 0.1]\ntarget_tets = 50\n&/' scene.toml > two.toml
printf '[contact]\nenabled = "off"\n' >> two.toml
sed 's/"off"/"on"/' two.toml > touching.toml
refused 1 2 'time.integrator = "symplectic_euler", "implicit_euler" or "hht"' check touching.toml --set 'time.integrator="taylor2"'
printf '%s\n' '[[material]]' 'preset = "adobe"' '[time]' 'duration_s = 0.001' > twins.toml
for name in one other; do
  printf '%s\n' '[[object]]' "name = \"$name\"" '[object.mesh]' 'shape = "box"' 'size_m = [1, 1, 1]' 'target_tets = 300' >> twins.toml
done
refused 1 2 "Bodies lie in another body at the start, tet" run twins.toml --out run_twins
refused 3 2 "Nothing says which way is out: move the objects apart" run twins.toml --out run_twins_3
volumes=(--set contact.criterion=overlap_volume)
refused 1 2 "tets overlap others at the start, the worst with 100 % of its volume" run twins.toml --out volumes "${volumes[@]}"
refused 3 2 "Nothing says which way is out: move the objects apart" run twins.toml --out volumes_3 "${volumes[@]}"
for command in "check two.toml" "run two.toml --out run_two --set object[0].velocity_m_s=[0,0,-2000] --set time.max_inverted_share=1"; do
  accepted 1 $command
  grep -q "the 2 objects of the scene do not meet each other" stdout.txt || fail "$command is silent about two objects"
done
grep -q 'object "object" moves at 2e+03 m/s' stdout.txt || fail "no word about an object at 2000 m/s"
absent run_scene

# -- output folders ---------------------------------------------------------------------------------------------------
echo "mine" > file; mkdir foreign; echo "mine" > foreign/scene.toml
accepted 1 run scene.toml --out done
grep -q '^frame_interval_s = 0.001$' done/scene.toml && grep -q '^monitor_interval_s = 0.0001$' done/scene.toml ||
  fail "scene.toml does not say how often results were written"
find file foreign done -type f -exec sha256sum {} + > theirs.txt
for ranks in 1 3; do
  refused $ranks 2 "file is a file" run scene.toml --out file
  refused $ranks 2 "cannot make the run folder" run scene.toml --out file/run
  refused $ranks 2 "nothing was touched" run scene.toml --out done
done
refused 1 2 "nothing was touched" run scene.toml --out foreign
refused 1 2 "absent/box.hdf" mesh --shape box --tets 300 --out absent/box.hdf
unchanged theirs.txt

# -- TetGen: crashes, fails, is missing, or has no output -----------------------------------------------------------
mkdir crash && cp "$program" crash/brisance
tetgen() { printf '#!/bin/sh\n%s\n' "$1" > crash/brisance-tetgen; chmod +x crash/brisance-tetgen; }
launcher=(crash/brisance)
for ranks in 1 3; do
  tetgen 'kill -SEGV $$'; refused $ranks 2 "TetGen crashed with signal 11" run scene.toml --out run_crash_$ranks
done
tetgen 'exit 3'; refused 1 2 "TetGen gave up" run scene.toml --out run_gave_up
tetgen 'exit 0'; refused 1 2 "no readable result" run scene.toml --out run_silent
absent run_{crash_1,crash_3,gave_up,silent}/snapshots/000000.hdf

# A program that is not built: its name, how to get it, exit code 69, and no folder that prevents the next run.
sed -e 's/^shape = "box"/shape = "mug"/' -e '/^size_m/d' scene.toml > mug.toml
for ranks in 1 3; do
  refused $ranks 69 "Meshing mug needs the program brisance-solids" run mug.toml --out run_missing
  grep -q -- "cmake --build .* --target brisance-solids" stderr.txt || fail "no word about how to build brisance-solids"
  refused $ranks 69 "needs the program brisance-solids" check mug.toml
done
refused 1 69 "needs the program brisance-solids" mesh --shape mug --tets 1000 --out mug.hdf
rm crash/brisance-tetgen
refused 1 69 "Filling box with tets needs the program brisance-tetgen" run scene.toml --out run_missing
absent run_missing mug.hdf
launcher=("$program")

# -- a full disk: no file may grow beyond a size; where the machine allows it, also a small file system of our own -----
# left_in FOLDER WHAT REASON: one message with the reason, no half-written file, and the existing files can be read.
left_in() {
  one_message "$2" "$3"
  [ -z "$(find "$1" -name '*.writing')" ] || fail "$2: partial files were left"
  for frame in "$1"/snapshots/*.hdf; do
    [ ! -e "$frame" ] || "$program" info "$frame" > /dev/null 2> stderr.txt || fail "$frame is not readable"
  done
}
# The limit is set behind mpirun and without shared memory between ranks: it would stop the files these need, too.
printf '#!/bin/bash\ntrap "" XFSZ\nulimit -f "$1"\nexec "${@:2}"\n' > limited; chmod +x limited
for limit in "1 1 scene.toml" "1 30 000000.hdf" "3 110 000000.hdf"; do
  read -r ranks kilobytes file <<< "$limit"
  what="no file above $kilobytes kB, $ranks rank(s)"
  OMPI_MCA_btl=tcp,self together "$ranks" ./limited "$kilobytes" "$program" run scene.toml --out limited_${ranks}_$kilobytes
  ended "$ranks" 3 "$what"
  left_in limited_${ranks}_$kilobytes "$what" "$file.writing: File too large"
done

# A file of modes, too; the previous one stays.
bar=(modes --shape box --set size_m=[4.0,1.0,1.0] --edge 0.25 --count 3 --out modes.h5)
accepted 1 "${bar[@]}"
sha256sum modes.h5 > modes.sha
for ranks in 1 3; do
  OMPI_MCA_btl=tcp,self together $ranks ./limited 110 "$program" "${bar[@]}" --overwrite
  ended $ranks 3 "no mode file above 110 kB, $ranks rank(s)"
  one_message "no mode file above 110 kB, $ranks rank(s)" "modes.h5.writing: File too large"
  unchanged modes.sha
  [ ! -e modes.h5.writing ] || fail "half a mode file was left"
done

# Pictures.
for ranks in 1 3; do
  OMPI_MCA_btl=tcp,self together $ranks ./limited 1 "$program" render done --width 160 --height 120 --samples 1 --out full_$ranks
  ended $ranks 3 "no picture above 1 kB, $ranks rank(s)"
  one_message "no picture above 1 kB, $ranks rank(s)" ".png.writing: File too large"
  [ -z "$(ls full_$ranks)" ] || fail "unfinished pictures were left"
done

# A sheet of pictures that exist; without, and of damaged ones.
accepted 1 render done --width 64 --height 48 --samples 1
accepted 1 sheet done --out sheet.png --columns 3 --count 5 --width 32
grep -q "5 pictures on sheet.png" stdout.txt || fail "sheet: not five pictures"
refused 3 2 "run_one_1 holds no numbered pictures. Make them with: brisance render run_one_1" sheet run_one_1 --out none.png
refused 1 2 "absent is no folder" sheet absent --out none.png
mkdir broken && echo "no picture" > broken/000000.png
refused 1 3 "broken/000000.png" sheet broken --out none.png
absent none.png

small_disk() {  # small_disk RANKS KILOBYTES: runs the scene there; copies what is left to full/
  rm -rf full mount && mkdir -p mount full
  timeout 60 unshare -rm bash -c "mount -t tmpfs -o size=$2k none mount || exit 99
    mpirun -q -n $1 '$program' run scene.toml --out mount/run > stdout.txt 2> stderr.txt; code=\$?
    cp -r mount/. full; exit \$code" 2> /dev/null
}
if small_disk 1 60000; then
  for disk in "1 8" "3 200" "1 400"; do
    small_disk $disk
    [ $? -eq 3 ] || fail "a disk full at $disk (ranks, kB) did not end with 3"
    left_in full/run "a disk full at $disk (ranks, kB)" "No space left on device"
  done
fi

# -- implicit steps: their requirements and limits, a solver that fails -----------------------------------------------
implicit=(--set time.integrator=implicit_euler --set time.step_s=0.0005)
refused 1 2 "implicit steps need time.step_s" run scene.toml --set time.integrator=implicit_euler --out imp
refused 1 2 "time.step_s goes with implicit steps" run scene.toml --set time.step_s=0.001 --out imp
refused 1 2 "time.hht_alpha goes with" check scene.toml "${implicit[@]}" --set time.hht_alpha=-0.1
refused 1 2 "time.crack_steps goes with implicit steps" check scene.toml --set time.crack_steps=4
refused 1 2 "crack_steps = -1 must" check scene.toml "${implicit[@]}" --set time.crack_steps=-1
refused 1 2 "time.load_steps goes with" check scene.toml "${implicit[@]}" --set time.load_steps=4
refused 1 2 "time.basis goes with implicit steps" check scene.toml --set time.basis=hierarchical
refused 1 2 "time.basis_levels goes with time.basis" check scene.toml "${implicit[@]}" --set time.basis_levels=3
refused 1 2 "basis_active_share = 0 must" check scene.toml "${implicit[@]}" --set time.basis=hierarchical --set time.basis_active_share=0
refused 1 3 "would be finer than the mesh" run scene.toml "${implicit[@]}" --set time.basis=hierarchical --set time.basis_cell_m=1e-4 --out fine_basis
refused 2 3 "leaves no function active" run scene.toml "${implicit[@]}" --set time.basis=hierarchical --set time.basis_active_share=1e-4 --out empty_basis
refused 1 2 "hht_alpha = 0.1 must" check scene.toml "${implicit[@]}" --set time.integrator=hht --set time.hht_alpha=0.1
refused 1 2 "divides the load by time.load_steps" check scene.toml --set time.integrator=static --set time.step_s=0.001
refused 1 2 "nothing moves in statics" check scene.toml --set time.integrator=static
sed '/^velocity_m_s/d' scene.toml > still.toml
static=(--set time.integrator=static --set time.load_steps=2)
refused 1 2 "does not go with statics" check still.toml "${static[@]}" --set 'collider[0].friction=0' --set time.basis=hierarchical
refused 1 2 "time.crack_steps goes with implicit_euler and hht" check still.toml "${static[@]}" --set 'collider[0].friction=0' --set time.crack_steps=4
refused 1 2 "contact has no friction with time.integrator = \"static\"" check still.toml "${static[@]}"
refused 1 2 "colliders stay where they are" check still.toml "${static[@]}" --set 'collider[0].friction=0' \
  --set 'collider[0].motion=path' --set 'collider[0].path_time_s=[0,1]' --set 'collider[0].path_position_m=[[0,0,0],[0,0,1]]'
refused 1 2 "object \"object\" is not fully constrained" run still.toml "${static[@]}" --set 'collider[0].friction=0' --out on_the_ground
{ cat still.toml; printf '[[load]]\nkind = "impulse"\nspeed_m_s = 1.0\n'; } > hit.toml
refused 1 2 "blasts and impulses go with motion" check hit.toml "${static[@]}" --set 'collider[0].friction=0'
refused 1 2 "load.follows goes with kind" check hit.toml --set 'load[0].follows=false'
{ cat still.toml; printf '[[region]]\nlow_m = [-1.0, -1.0, 0.18]\nhigh_m = [1.0, 1.0, 1.0]\n[[load]]\npressure_pa = 200.0\nfollows = false\n'; } > pressed.toml
for ranks in 1 3; do
  accepted $ranks run pressed.toml "${static[@]}" --set 'collider[0].friction=0' --set fracture.criterion=principal_stress \
    --set fracture.principal_stress_of=element --out pressed_$ranks
done
for ranks in 1 3; do refused $ranks 2 "fracture.cohesive asks what a crack costs" run scene.toml --set fracture.cohesive=true --out no_cost; done
absent no_cost
refused 1 2 "principal_stress_of goes with" check scene.toml --set fracture.principal_stress_of=element
refused 1 3 "the lattice would be finer than the mesh" run scene.toml "${implicit[@]}" --set time.solver=lattice --out fine -dyn_pc_lattice_spacing 0.5
sed '/^\[\[collider/,/^normal/d' still.toml > loose.toml
for ranks in 1 3; do refused $ranks 2 "object \"object\" is not fully constrained" run loose.toml --set time.integrator=static --out loose_$ranks; done
refused 1 2 "neo-Hookean law does not go" check scene.toml "${implicit[@]}" --set material.elastic_law=neo_hookean
refused 1 2 "particles fly in explicit steps" check scene.toml "${implicit[@]}" --set fracture.dust=particles
refused 1 2 "poissons_ratio = 0.5 must" check scene.toml "${implicit[@]}" --set material.poissons_ratio=0.5
refused 1 2 "density_kg_m3 = 0 must be positive" check scene.toml "${implicit[@]}" --set material.density_kg_m3=0
absent imp
for ranks in 1 3; do
  refused $ranks 3 "DIVERGED_ITS" run scene.toml "${implicit[@]}" --out never_$ranks -dyn_ksp_max_it 1
  grep -q "Try a smaller time.step_s" stderr.txt || fail "no advice for a step that never converges"
  accepted $ranks run scene.toml "${implicit[@]}" --out implicit_$ranks -dyn_ksp_mxa_it 7
  grep -q "PETSc knows no option -dyn_ksp_mxa_it" stdout.txt stderr.txt || fail "an unknown option is not mentioned"
done

# -- a run that is killed ---------------------------------------------------------------------------------------------
for ranks in 1 3; do
  mpirun -q -n $ranks "$program" run scene.toml --set time.duration_s=100 --out killed_$ranks > stdout.txt 2> stderr.txt &
  pid=$!
  for _ in $(seq 300); do [ -e killed_$ranks/snapshots/000001.hdf ] && break; sleep 0.1; done
  kill -TERM $pid; wait $pid
  [ $? -ne 0 ] || fail "a killed run on $ranks rank(s) ended with 0"
  for frame in $(ls killed_$ranks/snapshots/*.hdf | tail -n 2); do
    "$program" info "$frame" > /dev/null 2> stderr.txt || fail "$frame of a killed run is not readable"
  done
  refused $ranks 2 "nothing was touched" run scene.toml --out killed_$ranks
  accepted $ranks run scene.toml --out killed_$ranks --overwrite
  accepted 1 diff done killed_$ranks
done

[ $failures -eq 0 ] && echo "bad input: every case ended as it should"
exit $((failures > 0))
