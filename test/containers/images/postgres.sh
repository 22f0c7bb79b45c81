#!/bin/bash
# Starts PostgreSQL as the official image does: a new volume gets a database cluster, and runs the scripts of docker-entrypoint-initdb.d.
set -euo pipefail
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres "$(dirname "$(dirname "$PGDATA")")" /var/run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
[ "${1:-}" = postgres ] || exec "$@"

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --auth-host=scram-sha-256 --auth-local=trust --pwfile=<(echo "${POSTGRES_PASSWORD:?}") >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl --silent --wait --options='-c listen_addresses=' start >/dev/null
  for script in /docker-entrypoint-initdb.d/*.sql; do
    [ -e "$script" ] && psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --username postgres --file "$script"
  done
  pg_ctl --silent --wait stop
fi
exec "$@" -c listen_addresses='*'
