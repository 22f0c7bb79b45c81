#!/bin/sh
# The two commands of Zitadel that docker-compose.yml uses.
case $1 in
  ready) exec node -e "fetch('http://127.0.0.1:8080/healthz').then(() => process.exit(0), () => process.exit(1))" ;;
  start-from-init) exec tini -- node /foyer/server/simulators.ts identity-provider ;;
esac
