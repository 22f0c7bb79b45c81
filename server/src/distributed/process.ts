import { ConfigError } from '@foyer/shared/config/config';
import { run } from '@foyer/shared/config/run';

import { openGatewayProcess } from './gateway-process.ts';
import { openSubgraphProcess } from './subgraph-process.ts';
import { openWorkerProcess } from './worker-process.ts';

const roles = {
  gateway: () => openGatewayProcess(process.env),
  identity: () => openSubgraphProcess('identity', process.env),
  ticketing: () => openSubgraphProcess('ticketing', process.env),
  media: () => openSubgraphProcess('media', process.env),
  worker: () => openWorkerProcess(process.env),
};

const role = process.argv[2] ?? '';

await run({
  async open() {
    if (Object.hasOwn(roles, role)) return roles[role as keyof typeof roles]();
    throw new ConfigError(`say which process this is to be: ${Object.keys(roles).join(', ')}`);
  },
  opened({ url }) {
    process.stdout.write(`${role} is open: ${url}\n`);
    process.send?.({ url }); // to the process that started it, where one of ours did
  },
});
