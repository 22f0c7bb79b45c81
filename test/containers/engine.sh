#!/usr/bin/env bash
# A Docker engine for the tests of the containers, on a Debian machine that has none: Debian's packages in a folder, started
# in namespaces of its own, so that it changes nothing of the machine and leaves nothing behind.
#
#   engine.sh start FOLDER   makes it there, or starts the one that is there; FOLDER/docker is its client
#   engine.sh stop FOLDER    stops it; the folder stays, for another start
#   engine.sh inside FOLDER COMMAND…   runs a command of the machine in the engine's network, where its ports are
#
# Needs root, and Debian's mmdebstrap and slirp4netns.
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -ge 2 ] || { sed -n '2,9p' "$0"; exit 2; }
action=$1 folder=$2
shift 2

# Trixie has Docker 26, and forky the current one. A mirror may lag behind the dates of a suite that still moves.
suite=${ENGINE_SUITE:-trixie}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
packages=docker.io,docker-cli,docker-compose,docker-buildx,iptables,iproute2,ca-certificates,mount,procps

root=$folder/root

install() {
  [ ! -e "$folder/installed" ] || return 0
  rm -rf --one-file-system "$root"
  mmdebstrap --quiet --variant=apt --include="$packages" --aptopt='Acquire::Check-Valid-Until "false"' "$suite" "$root" "$mirror"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  mkdir -p "$root/etc/docker"
  echo '{ "dns": ["10.0.2.3"], "userland-proxy": true }' >"$root/etc/docker/daemon.json"
  touch "$folder/installed"
}

# Runs in the new namespaces as process 1.
as_init() {
  mount --make-rprivate /
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/run"
  # What commands name: files of the project, and temporary ones.
  mkdir -p "$root$project"
  mount --bind "$project" "$root$project"
  mount --bind /tmp "$root/tmp"
  mkdir -p "$root/old"
  cd "$root"
  # Not chroot: runc refuses to pivot from a root that is no mount point.
  pivot_root . old
  umount --lazy /old
  ip link set lo up
  # slirp4netns makes the way out from outside.
  until ip -4 address show dev tap0 2>/dev/null | grep -q inet; do sleep 0.1; done
  echo 'nameserver 10.0.2.3' >/etc/resolv.conf
  # Containers are told apart by their addresses, which only routing between their networks and the way out needs.
  echo 1 >/proc/sys/net/ipv4/ip_forward
  exec dockerd --pidfile /run/dockerd.pid >/var/log/dockerd.log 2>&1 </dev/null
}

# Of a process that lives, and is the engine: in a folder that was kept, the number may be another's.
pid() { [ -e "$folder/pid" ] && tr '\0' ' ' <"/proc/$(cat "$folder/pid")/cmdline" 2>/dev/null | grep -qE 'dockerd|as_init' && cat "$folder/pid"; }

enter="nsenter --mount --net --pid --ipc --uts --root"

case $action in
  start)
    mkdir -p "$folder"
    install
    if ! pid >/dev/null; then
      root=$root project=$project setsid unshare --mount --net --pid --ipc --uts --fork --kill-child \
        bash -c "$(declare -f as_init); set -e; as_init" >"$folder/engine.log" 2>&1 </dev/null &
      sleep 0.5
      outer=$!
      for _ in $(seq 100); do
        inner=$(pgrep --parent "$outer" | head -1) || true; [ -n "$inner" ] && break
        sleep 0.1
      done
      echo "$inner" >"$folder/pid"
      setsid slirp4netns --configure --mtu=65520 --disable-host-loopback "$inner" tap0 >"$folder/network.log" 2>&1 </dev/null &
      echo $! >"$folder/network.pid"
    fi
    # By its path: a `docker` in PATH may be this file.
    printf '#!/bin/sh\n# The client of the engine in this folder.\nexec %s --target %s --wdns="$PWD" /usr/bin/docker "$@"\n' "$enter" "$(pid)" >"$folder/docker"
    chmod +x "$folder/docker"
    for _ in $(seq 300); do
      "$folder/docker" info >/dev/null 2>&1 && exit 0
      sleep 0.2
    done
    echo "the engine did not start: $folder/engine.log, $root/var/log/dockerd.log" >&2
    tail --quiet --lines=5 "$folder/engine.log" "$root/var/log/dockerd.log" >&2
    exit 1
    ;;
  stop)
    if inner=$(pid); then
      kill "$inner"
      for _ in $(seq 300); do kill -0 "$inner" 2>/dev/null || break; sleep 0.1; done
      kill -9 "$inner" 2>/dev/null || true
    fi
    kill "$(cat "$folder/network.pid")" 2>/dev/null || true
    rm -f "$folder/pid" "$folder/network.pid"
    ;;
  inside)
    exec nsenter --target "$(pid)" --net "$@"
    ;;
  *) sed -n '2,9p' "$0"; exit 2 ;;
esac
