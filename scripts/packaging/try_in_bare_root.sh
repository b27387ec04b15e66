#!/usr/bin/env bash
# Installs the packages in a bare Debian 12 root, made for this and removed afterwards, and runs a small scene in it.
#
#   scripts/packaging/try_in_bare_root.sh PACKAGE.deb PACKAGE.tar.gz [MIRROR]
#
# Called by scripts/package.sh --try. Ends with code 77 where it cannot be done: without root, debootstrap or a mirror.
set -euo pipefail
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/bare_root.sh"

case ${1:-} in -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit ;; esac
(($# == 2 || $# == 3)) || { say "usage: ${0##*/} PACKAGE.deb PACKAGE.tar.gz [MIRROR]"; exit 2; }
for file in "$1" "$2"; do [[ -f $file ]] || { say "${0##*/}: there is no file $file. scripts/package.sh makes it."; exit 2; }; done
deb=$(realpath "$1") tar=$(realpath "$2") mirror=${3:-http://deb.debian.org/debian}
enter_mount_space "$deb" "$tar" "$mirror"
make_bare_root "$mirror"

# As an ordinary user, who has nothing but a home.
user() { inside setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/home/user bash -c "cd; $1"; }
packages() { inside dpkg-query -W | wc -l; }

step "the Debian package"
cp "$deb" "$tar" "$bare/tmp/"
before=$(packages)
inside apt-get -q update >"$bare/tmp/log" 2>&1 || skip "apt-get update: $(tail -n 3 "$bare/tmp/log")"
inside apt-get -q install -y --no-install-recommends "/tmp/${deb##*/}" >"$bare/tmp/log" 2>&1 || fail "apt-get install: $(tail -n 5 "$bare/tmp/log")"
grep -E 'disk space will be used|Need to get' "$bare/tmp/log" || true
step "$(($(packages) - before)) packages more"
inside useradd --create-home --uid 1000 user
scene='bowl_quick --set time.duration_s=0.002'
mpi='OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 mpirun -q -n 2'
user "brisance --version && brisance run $scene --out one" || fail "one rank"
user "$mpi brisance run $scene --out two >/dev/null && brisance diff one two" || fail "two ranks"
user "brisance render one --width 64 --height 48 --samples 1 && ls one/pictures" || fail "pictures"
user "brisance mesh --shape mug --tets 600 --out mug.hdf" || fail "brisance-solids"
inside sh -c 'ldconfig -p | grep libbrisance_impact.so.0' || fail "the C library is not where programs find it"
[[ -s $bare/usr/share/man/man1/brisance-run.1 || -s $bare/usr/share/man/man1/brisance-run.1.gz ]] || fail "manual pages"
inside apt-get -q remove -y brisance >"$bare/tmp/log" 2>&1 || fail "apt-get remove: $(tail -n 3 "$bare/tmp/log")"
[[ ! -e $bare/usr/bin/brisance && ! -e $bare/usr/share/brisance ]] || fail "removing it left files behind"

step "the tree with its module file"
inside apt-get -q install -y --no-install-recommends environment-modules >"$bare/tmp/log" 2>&1 || fail "apt-get install: $(tail -n 3 "$bare/tmp/log")"
inside tar -xzf "/tmp/${tar##*/}" -C /opt
user "source /usr/share/modules/init/bash; module use \$(echo /opt/brisance*/share/brisance/modulefiles) && module load brisance && \
  brisance run $scene --out three && brisance diff one three && module unload brisance && ! command -v brisance" || fail "the module"
step "both work"
