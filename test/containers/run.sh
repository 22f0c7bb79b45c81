#!/usr/bin/env bash
# Runs the tests of the containers, on the Docker engine of this machine, or else on one that it makes (engine.sh).
set -euo pipefail
cd "$(dirname "$0")/../.."

if docker info >/dev/null 2>&1; then
  exec npx -y pnpm test containers
fi

if ! unshare --mount --net --pid --fork true 2>/dev/null; then
  echo 'skipped: this machine has no Docker engine, and allows no namespaces to make one' >&2
  [ -z "${CI:-}" ] || exit 1
  exit 0
fi
missing=()
command -v mmdebstrap >/dev/null || missing+=(mmdebstrap)
command -v slirp4netns >/dev/null || missing+=(slirp4netns)
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The folder can be kept for another run: most of the time goes into the engine and the images.
folder=${ENGINE_FOLDER:-$(mktemp -d)}
finish() {
  test/containers/engine.sh stop "$folder"
  [ -n "${ENGINE_FOLDER:-}" ] || rm -rf --one-file-system "$folder"
}
trap finish EXIT
test/containers/engine.sh start "$folder"
test/containers/images.sh "$folder"
npx -y pnpm install --frozen-lockfile >/dev/null
DOCKER=$folder/docker test/containers/engine.sh inside "$folder" npx -y pnpm test containers
