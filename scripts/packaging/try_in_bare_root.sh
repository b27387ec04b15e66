#!/usr/bin/env bash
# Installs the packages in a bare Debian 12 root, made for this and removed afterwards, and runs a small scene in it.
#
#   scripts/packaging/try_in_bare_root.sh PACKAGE.deb PACKAGE.tar.gz [MIRROR]
#
# Called by scripts/package.sh --try. Ends with code 77 where it cannot be done: without root, debootstrap or a mirror.
set -euo pipefail

say() { printf '%s\n' "$*" >&2; }
skip() { say "not tried: $*"; exit 77; }
fail() { say "FAILED in the bare root: $*"; exit 1; }
step() { printf '== %s (%d s)\n' "$*" "$SECONDS"; }

case ${1:-} in
  -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit ;;
  --inside) shift ;;
  *)
    (($# == 2 || $# == 3)) || { say "usage: ${0##*/} PACKAGE.deb PACKAGE.tar.gz [MIRROR]"; exit 2; }
    for file in "$1" "$2"; do [[ -f $file ]] || { say "${0##*/}: there is no file $file. scripts/package.sh makes it."; exit 2; }; done
    ((EUID == 0)) || skip "a root of its own can only be made by root."
    command -v debootstrap >/dev/null || skip "debootstrap is missing: apt-get install debootstrap"
    # What is mounted below it goes with this process, however it ends.
    unshare --mount --propagation private true 2>/dev/null || skip "this system does not let root mount."
    exec unshare --mount --propagation private "$(realpath "$0")" --inside "$(realpath "$1")" "$(realpath "$2")" "${3:-http://deb.debian.org/debian}"
    ;;
esac

deb=$1 tar=$2 mirror=$3
bare=$(mktemp -d "${TMPDIR:-/tmp}/bare_root.XXXXXX")
clean() { umount -l "$bare/proc" "$bare/sys" "$bare/dev/shm" 2>/dev/null || true; rm -rf --one-file-system "$bare"; }
trap clean EXIT
chmod 755 "$bare"

/usr/lib/apt/apt-helper download-file "$mirror/dists/bookworm/InRelease" "$bare/InRelease" >/dev/null 2>&1 ||
  skip "the mirror $mirror does not answer; name another with --mirror."
rm -f "$bare/InRelease"
step "a bare Debian 12"
debootstrap --variant=minbase bookworm "$bare" "$mirror" >"$bare.log" 2>&1 || skip "debootstrap: $(tail -n 3 "$bare.log")"
rm -f "$bare.log"
# The way to the mirror is this machine's.
for file in /etc/resolv.conf /etc/hosts; do cat "$file" >"$bare$file"; done
apt-config dump | grep -E '^Acquire::https?::' >"$bare/etc/apt/apt.conf.d/90mirror" || true
cp -a /usr/local/share/ca-certificates "$bare/usr/local/share/" 2>/dev/null || true
mount -t proc proc "$bare/proc"
mount -t sysfs -o ro sysfs "$bare/sys"
mkdir -p "$bare/dev/shm"
mount -t tmpfs tmpfs "$bare/dev/shm"
chmod 1777 "$bare/dev/shm"

inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 chroot "$bare" "$@"; }
# As an ordinary user, who has nothing but a home.
user() { inside setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/home/user bash -c "cd; $1"; }
packages() { inside dpkg-query -W | wc -l; }

step "the Debian package"
cp "$deb" "$tar" "$bare/tmp/"
before=$(packages)
echo 'Acquire::Retries "3";' >>"$bare/etc/apt/apt.conf.d/90mirror"
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
