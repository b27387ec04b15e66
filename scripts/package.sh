#!/usr/bin/env bash
# Makes packages: a .deb for Debian 12, and a .tar.gz to unpack anywhere, with a module file.
#
#   scripts/package.sh
#   scripts/package.sh --out /scratch/packages --try
#
#   --out DIR     folder for the packages (packages/ in the build folder)
#   --try         then installs both in a bare Debian 12 root of its own and runs a small scene there, as an ordinary user:
#                 some minutes; needs root, debootstrap and a package mirror, and ends with code 77 where one is missing
#   --mirror URL  of Debian packages (http://deb.debian.org/debian)
# Needs dpkg-dev, beside what the build needs. Compiles and installs missing packages first, if needed; BRISANCE_PRESET=portable
# for machines older than x86-64-v3. Settings from the environment: scripts/lib.sh.
set -euo pipefail
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/lib.sh"

out='' try='' mirror=http://deb.debian.org/debian
while (($#)); do
  case $1 in
    -h | --help) usage; exit ;;
    --out | --mirror) (($# > 1)) || fail "$1 needs a value."; declare "${1#--}=$2"; shift ;;
    --try) try=1 ;;
    *) usage >&2; fail "there is no option $1." ;;
  esac
  shift
done
if ! command -v dpkg-shlibdeps >/dev/null; then
  # Tried where it can be: nothing but packages needs it.
  [[ -z $try ]] || { say "not tried: dpkg-shlibdeps is missing: apt-get install dpkg-dev"; exit 77; }
  fail "dpkg-shlibdeps, which finds a package's dependencies, is missing: apt-get install dpkg-dev"
fi
: "${out:=$build/packages}"

install_packages
build_targets brisance brisance-tetgen brisance-solids brisance_impact help_pages
mkdir -p "$out"
# Not `--target package`, which would build the tests as well.
(cd "$build" && cpack --config CPackConfig.cmake -B "$(realpath "$out")" >"$build/cpack.log") || fail "cpack failed: $(tail -n 3 "$build/cpack.log")"
rm -rf "$out/_CPack_Packages"
mapfile -t made < <(sed -n 's/^CPack: - package: \(.*\) generated\.$/\1/p' "$build/cpack.log")
((${#made[@]} == 2)) || fail "two packages were to be made, not: ${made[*]}. See $build/cpack.log."
printf '%s\n' "${made[@]}"
[[ -z $try ]] || exec "$root/scripts/packaging/try_in_bare_root.sh" "${made[0]}" "${made[1]}" "$mirror"
