#!/usr/bin/env bash
# The install tree: moved after it was made, on the PATH, from a folder with nothing in it. Programs find each other and
# their scenes, a project from outside finds the library, every command has a manual page.
# usage: test_install.sh BUILD_DIR SOURCE_DIR SCRATCH_DIR WRITE_SAMPLE
set -euo pipefail
build=$1 source=$2 scratch=$3 write_sample=$4
rm -rf "$scratch" && mkdir -p "$scratch/empty"
cd "$scratch/empty"
failed() { echo "FAILED: $*"; [[ ! -s ../output ]] || tail -n 12 ../output; exit 1; }
# expect CODE COMMAND...
expect() {
  local code=$1 got=0
  shift
  "$@" >../output 2>&1 </dev/null || got=$?
  ((got == code)) || failed "exit code $got, not $code: $*"
}
says() { grep -qF -- "$1" ../output || failed "expected the text: $1"; }

cmake --install "$build" --prefix "$scratch/first" >../output
mv "$scratch/first" "$scratch/moved"
tree=$scratch/moved share=$scratch/moved/share/brisance
! grep -rlF "$scratch/first" "$tree" || failed "the prefix is written into these files"
! grep -lF "$source" "$tree"/lib/cmake/brisance/*.cmake "$tree"/share/brisance/modulefiles/*/* || failed "the source folder is written into these files"
export PATH=$tree/bin:$PATH OMPI_MCA_ess_singleton_isolated=1
unset BRISANCE_PRESET

# Scenes by name; the child programs in libexec, and the messages without them.
short=(--set time.duration_s=0.0005 --set output.frame_interval_s=0.0005)
expect 0 brisance run bowl_quick "${short[@]}" --out run
says "scene $share/configs/bowl_quick.toml"
grep -q "scene $share/configs/bowl_quick.toml" run/run.log || failed "run.log does not say which scene it was"
expect 0 brisance run configs/bowl_quick.toml "${short[@]}" --out run --overwrite
sed 's/^title = .*/title = "mine"/' "$share/configs/bowl_quick.toml" >bowl_quick.toml
expect 0 brisance check bowl_quick
says "bowl_quick.toml: mine"
rm bowl_quick.toml
expect 2 brisance run bowl_quik --out never
says "cannot open the scene file bowl_quik. Did you mean bowl_quick? Check the name, or take a scene of $share/configs: bending, bowl, bowl_1,"
[[ ! -e never ]] || failed "a run folder without a scene"
expect 0 brisance info --scenes
says "$share/scripts"
expect 0 brisance mesh --shape mug --tets 600 --out mug.hdf  # brisance-solids
mv "$tree/libexec" "$tree/elsewhere"
expect 69 brisance run bowl_quick "${short[@]}" --out never
expect 69 brisance render run --frames 0 --width 32 --height 32 --samples 1
says "needs the library brisance_images.so, which is not there"
mv "$tree/elsewhere" "$tree/libexec"
expect 0 brisance render run --frames 0 --width 32 --height 32 --samples 1

# Scripts: nothing is built, runs go into the working folder.
expect 0 brisance-run configs/bowl_quick.toml --ranks 1 "${short[@]}"
[[ -s runs/bowl_quick/contact_sheet.png ]] || failed "brisance-run made no picture"
expect 0 brisance-to-mesh run --format stl --out meshes
expect 2 brisance-break configs/modes/none.conf
says "The recipes that come along are in $share/configs/modes"

# A manual page for each command of the source, with every option that the command's own help has.
mapfile -t commands < <(grep -ho 'add_subcommand("[a-z]*"' "$source"/src/app/commands/*.cpp | cut -d'"' -f2)
((${#commands[@]} >= 13)) || failed "only ${#commands[@]} commands in the source: has add_subcommand another form now?"
plain() { sed 's/\\-/-/g' "$tree/share/man/man1/$1.1"; }
for command in "${commands[@]}"; do
  [[ -s $tree/share/man/man1/brisance-$command.1 ]] || failed "brisance $command has no manual page"
  grep -q "^\.BR brisance-$command (1)" < <(plain brisance) || failed "brisance.1 does not name $command"
  brisance "$command" --help >../output
  mapfile -t options < <(grep -oE '^ +(-[a-z],)?--[a-z-]+' ../output | grep -oE -- '--[a-z-]+')
  for option in "${options[@]}"; do
    grep -qE -- "^\.B .*$option([ ,]|$)" < <(plain "brisance-$command") || failed "brisance-$command.1 lacks $option"
  done
done
for page in "$tree"/share/man/man1/*.1; do
  ! command -v groff >/dev/null || [[ -z $(groff -man -ww -z -Kutf8 "$page" 2>&1) ]] || failed "groff warns about $page"
done

# Completion: commands, options, scenes.
complete_line() {
  bash -c 'source "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _brisance; printf "%s\n" "${COMPREPLY[@]}"' \
    complete "$tree/share/bash-completion/completions/brisance" "$@" >../output
}
complete_line brisance pre && says prefracture
complete_line brisance run --wall && says --wall-limit
complete_line brisance run bowl_q && says bowl_quick

# The module file, read by a Tcl with the module commands it uses.
if command -v tclsh >/dev/null; then
  tclsh >../output <<TCL
foreach command {conflict module-whatis} { proc \$command {args} {} }
proc prepend-path {name value} { puts "\$name \$value" }
proc setenv {name value} { puts "\$name \$value" }
set ModulesCurrentModulefile [lindex [glob $share/modulefiles/brisance/*] 0]
source \$ModulesCurrentModulefile
TCL
  says "PATH $tree/bin"
  says "MANPATH $tree/share/man"
  says "BRISANCE_HOME $share"
fi

# The test in a bare root reports why it cannot run, and does not count as passed.
try=$source/scripts/packaging/try_in_bare_root.sh
touch ../any.deb ../any.tar.gz
expect 2 "$try" ../absent.deb ../any.tar.gz
says "there is no file ../absent.deb"
user=()
if ((EUID == 0)); then user=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
if "${user[@]}" test -x "$try" -a -r ../any.deb 2>/dev/null; then
  expect 77 "${user[@]}" "$try" ../any.deb ../any.tar.gz
  says "can only be made by root"
fi
if "${user[@]}" test -x "$source/scripts/packaging/time_in_bare_root.sh" 2>/dev/null; then
  expect 77 "${user[@]}" "$source/scripts/packaging/time_in_bare_root.sh"
  says "can only be made by root"
fi
expect 2 "$source/scripts/packaging/time_in_bare_root.sh" --scene no_such.toml
says "there is no scene"
if ((EUID == 0)) && command -v debootstrap >/dev/null; then
  expect 77 "$try" ../any.deb ../any.tar.gz http://localhost:9
  grep -qE 'does not answer|does not let root mount' ../output || failed "expected why not"
fi

# The Spack recipe has what scripts/packages.txt lists for the build.
while read -r name; do
  case $name in gcc | ccache) continue ;; esac
  grep -qE "depends_on\(\"${name}[\"@+~]" "$source/scripts/packaging/spack/packages/brisance/package.py" || failed "the Spack recipe lacks $name"
done < <(sed -n '/^# build$/,/^# run$/s/^[a-z][a-z0-9.+-]* *\([a-z0-9-]*\).*/\1/p' "$source/scripts/packages.txt")

# A project from outside, in C.
mkdir ../consumer
cp "$source/tests/package/consumer/CMakeLists.txt" "$source/tests/runtime/c_program.c" ../consumer
expect 0 cmake -S ../consumer -B ../consumer/build -DCMAKE_PREFIX_PATH="$tree"
expect 0 cmake --build ../consumer/build
"$write_sample" ../cubes.impact
expect 0 ../consumer/build/consumer ../cubes.impact
expect 0 ../consumer/build/consumer_static ../cubes.impact
expect 1 cmake -S ../consumer -B ../consumer/without -DCMAKE_PREFIX_PATH="$scratch/empty" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF \
  -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF
echo "install: as described"
