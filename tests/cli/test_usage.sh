#!/usr/bin/env bash
# Bad input ends with one clear message and the documented exit code on any number of ranks, within seconds.
# usage: test_usage.sh PROGRAM SOURCE_DIR SCRATCH_DIR
set -u
program=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch"
failures=0
# Open MPI's folders of this test's own: others that end meanwhile take away those in /tmp. Short, for names of sockets.
TMPDIR=$(mktemp -d /tmp/usage.XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

# expect CODE PATTERN ARGUMENTS...: the pattern must occur in exactly one line.
# expect_on_ranks: alone and on three ranks, once for each way to a message; several ranks take seconds to start.
expect() { run_on "" "$@"; }
expect_on_ranks() { expect "$@"; run_on "mpirun -q -n 3" "$@"; }
run_on() {
  local launcher=$1 code=$2 pattern=$3; shift 3
  local output status lines
  # shellcheck disable=SC2086  # words of their own
  output=$(timeout 180 $launcher "$program" "$@" 2>&1); status=$?
  lines=$(grep -c -F -e "$pattern" <<<"$output")
  if [ $status -ne "$code" ] || [ "$lines" -ne 1 ]; then
    echo "FAILED: $launcher brisance $*"
    echo "  wanted exit code $code and one line with: $pattern"
    echo "  got $status, and: $output"
    failures=$((failures + 1))
  fi
}

scene() { sed "$1" "$source/configs/bowl_4.toml" > "$scratch/scene.toml"; }

expect_on_ranks 0 "brisance 0." --version
expect 0 "Exit codes:" --help
expect_on_ranks 0 "the scene is valid" check "$source/configs/bowl_quick.toml"
expect 2 "brisance: error: " check
expect_on_ranks 2 "brisance: error: " chekc "$source/configs/bowl.toml"
expect_on_ranks 2 "brisance: error: cannot open the scene file $scratch/absent.toml" check "$scratch/absent.toml"
scene 's/^density_kg_m3 = .*/density_kg_m3 = -2700/'
expect 2 "scene.toml:8:17: material.density_kg_m3 = -2700 must be positive (glass is near 2500)." check "$scratch/scene.toml"
scene 's/^density_kg_m3/densty_kg_m3/'
expect 2 "unknown key material.densty_kg_m3. Did you mean material.density_kg_m3?" check "$scratch/scene.toml"
scene 's/^density_kg_m3 = .*/density_kg_m3 = "heavy"/'
expect 2 "material.density_kg_m3 = 'heavy' must be a number in kg/m³" check "$scratch/scene.toml"
scene 's/^shape = "bowl"/file = "absent.obj"/'
expect 2 "absent.obj\" does not exist" check "$scratch/scene.toml"
expect 2 "--set: time.duration_s = 0 must be positive" check "$source/configs/bowl.toml" --set time.duration_s=0
expect_on_ranks 2 "brisance: error: " info "$scratch/absent.hdf"
expect_on_ranks 2 "brisance: error: " diff "$scratch/absent.hdf" "$scratch/absent.hdf"
expect_on_ranks 2 "brisance: error: " render "$scratch/absent.hdf"
expect_on_ranks 0 "dihedral angles" mesh --shape box --tets 500 --out "$scratch/box.hdf" --overwrite
expect 0 " 1 piece," info "$scratch/box.hdf"
expect 0 "dihedral angles" mesh --shape box --tets 500 --out "$scratch/box.vtu"
expect 2 "must end in .hdf" mesh --shape box --out "$scratch/box.obj"
expect 2 "Did you mean object.mesh.radius_m?" mesh --shape torus --set radus_m=1 --out "$scratch/torus.hdf"
cd "$scratch" || exit 1
expect 0 "smallest altitude" info box.vtu
# Without a launcher a command shares no folder of Open MPI's with others, which take it away when they end: it needs none.
TMPDIR=/dev/null/nowhere expect 0 "dihedral angles" mesh --shape box --tets 500 --out alone.hdf
expect 2 "is none of what info describes" info "$source/README.md"
expect_on_ranks 2 "absent.obj: there is no such file" modes absent.obj --out m.h5
expect_on_ranks 2 "absent.stl" mesh "$scratch/absent.stl" --out "$scratch/absent.hdf"
expect 2 "Put PETSc's options last" check "$source/configs/bowl.toml" -log_view --set time.duration_s=1

[ $failures -eq 0 ] && echo "usage: all as documented"
exit $((failures > 0))
