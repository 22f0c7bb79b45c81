// Hive Gateway, as a library; with RUST=1 by its query planner in Rust.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';

const rust = process.env.RUST ? await import('@graphql-hive/router-runtime') : undefined;
const gateway = createGatewayRuntime({
  supergraph: readFileSync(process.env.SUPERGRAPH, 'utf8'),
  logging: false,
  ...(rust && { unifiedGraphHandler: rust.unifiedGraphHandler }),
});
createServer((request, response) => void gateway(request, response)).listen(Number(process.env.PORT), '127.0.0.1');
