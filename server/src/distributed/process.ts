import { ConfigError } from '@foyer/shared/config/config';
import { run } from '@foyer/shared/process/run';

import { startGatewayProcess } from './gateway-process.ts';
import { startSubgraphProcess } from './subgraph-process.ts';
import { startWorkerProcess } from './worker-process.ts';

const roles = {
  gateway: () => startGatewayProcess(process.env),
  identity: () => startSubgraphProcess('identity', process.env),
  ticketing: () => startSubgraphProcess('ticketing', process.env),
  media: () => startSubgraphProcess('media', process.env),
  worker: () => startWorkerProcess(process.env),
};

const role = process.argv[2] ?? '';

await run({
  async open() {
    if (Object.hasOwn(roles, role)) return roles[role as keyof typeof roles]();
    throw new ConfigError(`name the role of this process: ${Object.keys(roles).join(', ')}`);
  },
  opened({ url }) {
    process.stdout.write(`${role} is open: ${url}\n`);
    process.send?.({ url }); // to the supervisor, if one has started this process
  },
});
