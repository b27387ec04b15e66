# shellcheck shell=bash
# A bare Debian 12 root, made for one script and removed afterwards. Sourced by scripts that start as
#   enter_mount_space "$@"; make_bare_root MIRROR
# and end with code 77 where it cannot be made: without root, debootstrap or a mirror.

say() { printf '%s\n' "$*" >&2; }
skip() { say "not tried: $*"; exit 77; }
fail() { say "FAILED in the bare root: $*"; exit 1; }
step() { printf '== %s (%d s)\n' "$*" "$SECONDS"; }

# Starts the script again with these arguments where mounts are its own: its mounts are removed with it, however it
# ends.
enter_mount_space() {
  [[ -z ${BRISANCE_MOUNT_SPACE:-} ]] || return 0
  ((EUID == 0)) || skip "a root of its own can only be made by root."
  command -v debootstrap >/dev/null || skip "debootstrap is missing: apt-get install debootstrap"
  unshare --mount --propagation private true 2>/dev/null || skip "this system does not let root mount."
  BRISANCE_MOUNT_SPACE=1 exec unshare --mount --propagation private "$(realpath "$0")" "$@"
}

remove_bare_root() {
  umount -l "$bare/proc" "$bare/sys" "$bare/dev/shm" 2>/dev/null || true
  rm -rf --one-file-system "$bare"
}

# Sets `bare`, the folder it is in; packages can be installed there.
make_bare_root() {
  local mirror=$1 file
  bare=$(mktemp -d "${TMPDIR:-/tmp}/bare_root.XXXXXX")
  trap remove_bare_root EXIT
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
  echo 'Acquire::Retries "3";' >>"$bare/etc/apt/apt.conf.d/90mirror"
  cp -a /usr/local/share/ca-certificates "$bare/usr/local/share/" 2>/dev/null || true
  mount -t proc proc "$bare/proc"
  mount -t sysfs -o ro sysfs "$bare/sys"
  mkdir -p "$bare/dev/shm"
  mount -t tmpfs tmpfs "$bare/dev/shm"
  chmod 1777 "$bare/dev/shm"
}

inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 chroot "$bare" "$@"; }
