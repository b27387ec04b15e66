#!/usr/bin/env bash
# scripts/run.sh and scripts/test.sh: packages, run folders, exit codes. Package manager, build and MPI are replaced by
# scripts that write down how they were called. Arguments: program (not used), source folder, scratch folder.
set -euo pipefail
source_dir=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch/bin" "$scratch/clone/build/release"
cd "$scratch"
cp -r "$source_dir/scripts" "$source_dir/configs" clone/
touch clone/build/release/build.ninja calls not_installed

stand_in() { printf '#!/bin/bash\n%s\n' "$2" >"bin/$1"; chmod +x "bin/$1"; }
for tool in apt-get cmake ctest; do stand_in "$tool" "echo $tool \"\$@\" >>'$PWD/calls'"; done
stand_in sudo 'exit 1'
stand_in mpirun "echo mpirun \"\$@\" >>'$PWD/calls'; [[ ! -f '$PWD/run_fails' ]]"
stand_in dpkg-query "shift 3; for p in \"\$@\"; do grep -qx \"\$p\" '$PWD/not_installed' || echo \"installed \$p\"; done"
export PATH=$PWD/bin:$PATH
unset SLURM_JOB_ID SLURM_NTASKS BRISANCE_PRESET BRISANCE_PACKAGES
run=$PWD/clone/scripts/run.sh scene=$PWD/clone/configs/bowl.toml program=$PWD/clone/build/release/brisance

failed() { echo "FAILED: $*"; echo "-- calls:"; cat calls; echo "-- output:"; cat output; exit 1; }
called() { grep -qxF -- "$1" calls || failed "expected the call: $1"; }
not_called() { ! grep -q "^$1" calls || failed "unexpected call of $1"; }
says() { grep -qF -- "$1" output || failed "expected the text: $1"; }
# expect CODE COMMAND...: runs it with a fresh list of calls
expect() {
  local code=$1 got=0
  shift
  : >calls
  "$@" >output 2>&1 || got=$?
  ((got == code)) || failed "exit code $got, not $code: $*"
}

# Nothing missing: straight to the job, from any folder; then pictures.
expect 0 "$run" "$scene" --ranks 3 --set time.duration_s=0.1
not_called apt-get
called "mpirun -n 3 $program run $scene --out $PWD/clone/runs/bowl --set time.duration_s=0.1"
called "mpirun -n 3 $program render $PWD/clone/runs/bowl --preview --sheet $PWD/clone/runs/bowl/contact_sheet.png"
# Then, with everything installed, the needs of other scenes; a failure there does not fail the run.
cores=$(env -u OMP_NUM_THREADS nproc)
solids="cmake --build $PWD/clone/build/release --parallel $cores --target brisance-solids"
[[ $(tail -n 1 calls) == "$solids" ]] || failed "brisance-solids is not built last"
stand_in cmake "echo cmake \"\$@\" >>'$PWD/calls'; [[ \$* != *brisance-solids* ]]"
expect 0 "$run" "$scene" --ranks 1 --out elsewhere
called "$solids"
says "brisance-solids could not be built"
stand_in cmake "echo cmake \"\$@\" >>'$PWD/calls'"
expect 0 env SLURM_JOB_ID=7 SLURM_NTASKS=5 "$run" "$scene" --out elsewhere
! grep -qxF "$solids" calls || failed "brisance-solids is compiled in a job"

# A new build folder: several sources at a time, without what tests need; test.sh adds that.
rm clone/build/release/build.ninja
echo libgtest-dev >not_installed
expect 0 "$run" "$scene" --ranks 1 --out elsewhere
not_called apt-get
called "cmake -S $PWD/clone --preset release -DBRISANCE_BATCH=12 -DBRISANCE_TESTS=OFF -DBRISANCE_BENCHMARKS=OFF"
expect 0 env BRISANCE_BATCH=1 "$run" "$scene" --ranks 1 --out elsewhere
called "cmake -S $PWD/clone --preset release -DBRISANCE_BATCH=1 -DBRISANCE_TESTS=OFF -DBRISANCE_BENCHMARKS=OFF"
: >not_installed
touch clone/build/release/build.ninja
echo 'BRISANCE_TESTS:BOOL=OFF' >clone/build/release/CMakeCache.txt
expect 0 "$run" "$scene" --ranks 1 --out elsewhere
not_called "cmake -S"
expect 0 clone/scripts/test.sh
called "cmake -S $PWD/clone --preset release -DBRISANCE_TESTS=ON -DBRISANCE_BENCHMARKS=ON"
rm clone/build/release/CMakeCache.txt
touch clone/build/release/build.ninja

# An earlier run stays unless --overwrite is given.
mkdir -p clone/runs/bowl
expect 0 "$run" "$scene" --ranks=1
called "mpirun -n 1 $program run $scene --out $PWD/clone/runs/bowl-2"
expect 0 "$run" --ranks 1 --overwrite "$scene"
called "mpirun -n 1 $program run $scene --out $PWD/clone/runs/bowl --overwrite"
expect 0 env SLURM_JOB_ID=7 SLURM_NTASKS=5 "$run" "$scene" --out elsewhere
called "mpirun -n 5 $program run $scene --out elsewhere"

# A scene that comes along, named from another folder.
expect 0 "$run" configs/bowl.toml --ranks 1 --out elsewhere
called "mpirun -n 1 $program run $scene --out elsewhere"

# A failed run: its exit code, and no pictures.
touch run_fails
expect 1 "$run" "$scene" --ranks 2
! grep -q render calls || failed "pictures of a failed run"
rm run_fails

# A scene that needs brisance-solids: the program reports it, it is built, and the run starts again; from then on it is
# kept up to date. Where building it does not help, the exit code stays.
stand_in mpirun "echo mpirun \"\$@\" >>'$PWD/calls'; [[ -x '$PWD/clone/build/release/brisance-solids' ]] || exit 69"
stand_in cmake "echo cmake \"\$@\" >>'$PWD/calls'; [[ \$* != *--target*brisance-solids ]] || [[ -f '$PWD/build_fails' ]] || {
  touch '$PWD/clone/build/release/brisance-solids'; chmod +x '$PWD/clone/build/release/brisance-solids'; }"
touch build_fails
expect 69 "$run" "$scene" --ranks 2 --out elsewhere
rm build_fails
expect 0 "$run" "$scene" --ranks 2 --out elsewhere
says "needs brisance-solids"
called "cmake --build $PWD/clone/build/release --parallel $cores --target brisance brisance-tetgen"
called "cmake --build $PWD/clone/build/release --parallel $cores --target brisance-solids"
(($(grep -c "^mpirun -n 2 $program run" calls) == 2)) || failed "not started twice"
expect 0 "$run" "$scene" --ranks 2 --out elsewhere
called "cmake --build $PWD/clone/build/release --parallel $cores --target brisance brisance-tetgen brisance-solids"
(($(grep -c "^mpirun -n 2 $program run" calls) == 1)) || failed "started twice"
rm clone/build/release/brisance-solids
stand_in cmake "echo cmake \"\$@\" >>'$PWD/calls'"
stand_in mpirun "echo mpirun \"\$@\" >>'$PWD/calls'; [[ ! -f '$PWD/run_fails' ]]"

# Wrong use is found before anything is installed or built.
printf '%s\n' libmetis-dev python3-h5py >not_installed
expect 2 "$run" no_such_scene.toml
says "there is no scene file no_such_scene.toml"
expect 2 "$run" "$scene" --ranks many
says "--ranks many must be a whole number"
expect 2 "$run"
says "name a scene file"
expect 0 "$run" --help
says "scripts/run.sh configs/bowl.toml"
[[ ! -s calls ]] || failed "something was called"

# break.sh: a recipe, with options added; a mesh of one's own; wrong use.
mkdir clone/postprocess
for script in pieces.py animate.py; do
  printf '#!/bin/bash\necho %s "$@" >>"%s"\n' "$script" "$PWD/calls" >"clone/postprocess/$script"
  chmod +x "clone/postprocess/$script"
done
: >not_installed
break=$PWD/clone/scripts/break.sh recipe=$PWD/clone/configs/modes/dumbbell.conf
expect 0 "$break" "$recipe" --ranks 2 --out broken --count 9
grep -q "^mpirun -n 2 $program modes --shape dumbbell .*--count 9 --out broken/modes.h5$" calls || failed "modes"
called "mpirun -n 1 $program prefracture broken/modes.h5 --smooth 2e-4 --min-volume 0.002 --out broken/pieces.h5"
called "pieces.py broken/pieces.h5 --format glb --out broken/meshes"
called "animate.py broken/play --out broken/drop.glb"
expect 2 "$break" "$recipe" --out broken
says "broken exists"
touch vase.obj
expect 0 "$break" vase.obj
called "mpirun -n 1 $program modes vase.obj --tets 20000 --out $PWD/clone/runs/vase/modes.h5"
expect 2 "$break" no_such.conf
says "there is no file no_such.conf"
printf '%s\n' libmetis-dev python3-h5py >not_installed

# submit.sh: a job from the estimate of `brisance check`; wrong use. A sweep file: its tasks, and what is wrong in it.
: >not_installed
stand_in checker "echo brisance \"\$@\" >>'$PWD/calls'; echo '{\"tets\": 500000, \"bytes\": 3e8, \"seconds\": 7200}' >\"\${@: -1}\""
stand_in sbatch "cat >'$PWD/submitted'"
submit=(env "BRISANCE=$PWD/bin/checker" "$PWD/clone/scripts/submit.sh" "$scene")
expect 0 "${submit[@]}" --ranks 10 --time 1:00:00 --out there --set time.duration_s=0.1 --dry-run
grep -q "^brisance check $scene --set time.duration_s=0.1 --json " calls || failed "check"
says "#SBATCH --ntasks=10"
says "#SBATCH --time=1:00:00"
says "#SBATCH --mem-per-cpu=690M"
says "exec bash $PWD/clone/scripts/slurm/run.sbatch $scene --out $PWD/there --set time.duration_s=0.1"
[[ ! -e submitted ]] || failed "a dry run submits"
expect 0 "${submit[@]}" --ranks 10 --requeue
grep -qx '#SBATCH --time=0:30:02' submitted || failed "not twice the estimate"
grep -q "/run_requeue.sbatch $scene " submitted || failed "not requeued"
expect 2 "${submit[@]}" --ranks 1 --time 1:00:00
says "estimated at 2:00:01 on 1 rank(s), more than --time 1:00:00. Give --time 4:00:02"
expect 2 "${submit[@]}" --time soon
says "--time soon is no length of time"
expect 2 "${submit[@]}" --nodes 0
says "--nodes 0 must be a whole number"
# Names that sbatch or a shell would take apart: a safe job name, and the scene as one word.
for name in "my scene" "it's \"a\" b" $'evil\ntouch PWNED\n#' '$(touch PWNED)' '`touch PWNED`' 'größe; touch PWNED' '***'; do
  cp "$scene" "$name.toml"
  expect 0 "${submit[@]:0:3}" "$name.toml" --ranks 2 --out "there of $name" --set title=\"a\ b\" --dry-run
  grep -qxE '#SBATCH --job-name=[A-Za-z0-9._-]+' output || failed "the job name of $name"
  (($(grep -c '^#SBATCH --job-name' output) == 1)) || failed "job names of $name"
  grep -v '^estimating' output >job.sh
  mkdir -p stand_in
  printf '#!/bin/bash\nprintf "%%s\\n" "$@" >"%s"\n' "$PWD/words" >stand_in/bash && chmod +x stand_in/bash
  PATH=$PWD/stand_in:$PATH /bin/bash job.sh || failed "the job of $name"
  [[ ! -e PWNED ]] || failed "the job of $name runs its name"
  printf '%s\n' "$PWD/clone/scripts/slurm/run.sbatch" "$PWD/$name.toml" --out "$PWD/there of $name" --set 'title="a b"' | cmp - words ||
    failed "the words of $name: $(cat words)"
done
sweep=(bash clone/scripts/slurm/sweep.sbatch)
expect 0 "${sweep[@]}" clone/configs/sweeps/thin_walls.sweep
(($(grep -c '^[1-8] thin_wall_[1-8] *material.yield_strain=.* material.plastic_limit=' output) == 8)) || failed "eight tasks"
expect 2 "${sweep[@]}" no.sweep
says "there is no sweep file no.sweep"
printf 'scene %s\none a=1\ntwo a b=1\n' "$scene" >wrong.sweep
expect 2 "${sweep[@]}" wrong.sweep
says "wrong.sweep:3: a is not KEY=VALUE"
printf 'one a=1\none a=2\n' >wrong.sweep
expect 2 "${sweep[@]}" wrong.sweep
says "wrong.sweep:2: there are two tasks one"
rm bin/sbatch
if ! command -v sbatch >/dev/null; then
  expect 2 "${submit[@]}"
  says "there is no sbatch here"
fi
printf '%s\n' libmetis-dev python3-h5py >not_installed

# Missing packages: named; installed by root, explained to others.
user=()
if ((EUID == 0)); then
  expect 0 clone/scripts/test.sh -L unit
  says "Missing packages: libmetis-dev python3-h5py"
  called "apt-get -q install -y --no-install-recommends libmetis-dev python3-h5py"
  called "ctest --test-dir $PWD/clone/build/release --output-on-failure --no-tests=error --parallel $(($(env -u OMP_NUM_THREADS nproc) * 3 / 2)) -L unit"
  user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chmod -R a+rwX .
fi
if "${user[@]}" test -x "$run" -a -w calls 2>/dev/null; then
  expect 2 "${user[@]}" "$run" "$scene"
  says "apt-get install --no-install-recommends libmetis-dev python3-h5py"
  says "module load metis py-h5py"
  says "spack install metis py-h5py"
  [[ ! -s calls ]] || failed "something was called"
  expect 0 env BRISANCE_PACKAGES=skip "${user[@]}" "$run" "$scene" --out elsewhere
fi
echo "scripts: as described"
