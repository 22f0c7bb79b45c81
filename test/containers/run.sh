#!/usr/bin/env bash
# Runs the tests of the containers, on the Docker engine of this machine, or else on one that it makes (engine.sh). Prints at the end
# how long everything took, and what it needed of the disk.
#
# Where neither is possible, it says so and ends with 0: there is nothing that could be tested.
set -euo pipefail
cd "$(dirname "$0")/../.."

if docker info >/dev/null 2>&1; then
  npx -y pnpm test containers
  echo "total: $SECONDS s"
  exit
fi

# As engine.sh does it.
if ! unshare --mount --net --pid --ipc --uts --fork mount --make-rprivate / 2>/dev/null || [ ! -c /dev/net/tun ]; then
  echo 'skipped: this machine has no Docker engine, and allows no namespaces to make one (root is needed)'
  exit 0
fi

# A command, and the Debian package that brings it.
needed="
  mmdebstrap   mmdebstrap
  slirp4netns  slirp4netns
  pgrep        procps
  git          git
"
missing=()
while read -r command package; do
  [ -z "$command" ] || command -v "$command" >/dev/null || missing+=("$package")
done <<<"$needed"
[ -e /etc/ssl/certs/ca-certificates.crt ] || missing+=(ca-certificates)
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The folder can be kept for another run: most of the time goes into the engine and the images.
folder=${ENGINE_FOLDER:-$(mktemp -d)}
finish() {
  local code=$?
  test/containers/engine.sh stop "$folder"
  echo "total: $SECONDS s, $(du --summarize --human-readable --one-file-system "$folder" | cut -f1) of disk for the engine and its images"
  [ -n "${ENGINE_FOLDER:-}" ] || rm -rf --one-file-system "$folder"
  exit $code
}
trap finish EXIT
test/containers/engine.sh start "$folder"
test/containers/images.sh "$folder"
npx -y pnpm install --frozen-lockfile >/dev/null
DOCKER=$folder/docker test/containers/engine.sh inside "$folder" npx -y pnpm test containers
