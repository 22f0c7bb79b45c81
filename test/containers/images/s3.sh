#!/bin/bash
# An S3 server on port 8333 with the health check of SeaweedFS; its data in /data.
set -euo pipefail
mkdir -p /tmp/etc-swift /tmp/cache-swift
export S3_ACCESS_KEY=$AWS_ACCESS_KEY_ID S3_SECRET_KEY=$AWS_SECRET_ACCESS_KEY
s3-server.sh start 9911 /data/swift
stop() { s3-server.sh stop /data/swift; kill %1; }
trap stop TERM INT
caddy run --config /usr/local/bin/s3.caddyfile --adapter caddyfile &
wait %1 || true
