#!/usr/bin/env bash
# A real S3 server for the tests: OpenStack Swift with its s3api, on one node, from Debian's packages.
#
#   s3-server.sh start [PORT] [DIR]   installs what is missing (as root), starts, waits until it answers
#   s3-server.sh stop  [DIR]
#
# It answers at http://127.0.0.1:PORT, region us-east-1, path style, with the access key S3_ACCESS_KEY (ACCOUNT:USER, otherwise
# test:tester) and the secret key S3_SECRET_KEY (otherwise testing).
set -euo pipefail

default_dir=${TMPDIR:-/tmp}/foyer-s3
action=${1:-start}

stop_servers() {
  for pid_file in "$1"/*.pid; do
    [ -f "$pid_file" ] || continue
    kill -- "-$(cat "$pid_file")" 2>/dev/null || true
    rm -f "$pid_file"
  done
}

if [ "$action" = stop ]; then
  stop_servers "${2:-$default_dir}"
  exit 0
fi

port=${2:-9911}
access_key=${S3_ACCESS_KEY:-test:tester}
secret_key=${S3_SECRET_KEY:-testing}
dir=${3:-$default_dir}

if ! command -v swift-proxy-server >/dev/null || ! command -v memcached >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    swift-proxy swift-account swift-container swift-object python3-swift memcached curl >/dev/null
fi

stop_servers "$dir"
# Swift shares its ports with whoever listens there already, so the requests of one S3 server would reach the disks of another.
for own_port in $(seq "$port" "$((port + 4))"); do
  if (: <"/dev/tcp/127.0.0.1/$own_port") 2>/dev/null; then
    echo "port $own_port is taken: another S3 server may have been left behind, or have a port near $port" >&2
    exit 1
  fi
done
mkdir -p "$dir/etc" "$dir/srv/d1" /etc/swift /var/cache/swift

# The hash salt is read from /etc/swift as well.
cat >"$dir/etc/swift.conf" <<'CONF'
[swift-hash]
swift_hash_path_prefix = prefix
swift_hash_path_suffix = suffix
[storage-policy:0]
name = default
default = yes
CONF
cp "$dir/etc/swift.conf" /etc/swift/swift.conf

common() {
  cat <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $1
swift_dir = $dir/etc
devices = $dir/srv
mount_check = false
user = $(id -un)
workers = 0
log_level = ERROR
CONF
}

filters="catch_errors listing_formats bulk slo dlo"
{
  common "$port"
  cat <<'CONF'
[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:s3api]
use = egg:swift#s3api
s3_acl = no
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
CONF
  echo "user_${access_key/:/_} = $secret_key .admin"
  for filter in $filters; do printf '[filter:%s]\nuse = egg:swift#%s\n' "${filter%%:*}" "${filter##*:}"; done
  printf '[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:%s\n' "$((port + 4))"
} >"$dir/etc/proxy-server.conf"

ring_port=$port
for ring in account container object; do
  ring_port=$((ring_port + 1))
  {
    common "$ring_port"
    printf '[pipeline:main]\npipeline = %s-server\n[app:%s-server]\nuse = egg:swift#%s\n' "$ring" "$ring" "$ring"
  } >"$dir/etc/$ring-server.conf"
  [ -f "$dir/etc/$ring.ring.gz" ] && continue
  (
    cd "$dir/etc"
    swift-ring-builder "$ring.builder" create 8 1 1 >/dev/null
    swift-ring-builder "$ring.builder" add "r1z1-127.0.0.1:$ring_port/d1" 1 >/dev/null
    swift-ring-builder "$ring.builder" rebalance >/dev/null
  )
done

# What the proxy knows of accounts and buckets: without it, it asks for each request, which doubles the CPU.
setsid memcached -l 127.0.0.1 -p "$((port + 4))" -u "$(id -un)" >"$dir/memcached.log" 2>&1 </dev/null &
echo $! >"$dir/memcached.pid"
for server in account container object proxy; do
  setsid "swift-$server-server" "$dir/etc/$server-server.conf" >"$dir/$server.log" 2>&1 </dev/null &
  echo $! >"$dir/$server.pid"
done

for _ in $(seq 60); do
  if curl -s -o /dev/null "http://127.0.0.1:$port/"; then
    echo "S3 on http://127.0.0.1:$port"
    exit 0
  fi
  sleep 0.5
done
echo "the S3 server did not answer; see $dir/*.log" >&2
exit 1
