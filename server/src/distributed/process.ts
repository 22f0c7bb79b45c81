import { ConfigError } from '@foyer/shared/config/config';
import type { SubgraphName } from '@foyer/shared/graphql/subgraph';
import { assertNoArguments } from '@foyer/shared/process/no-arguments';
import { run } from '@foyer/shared/process/run';

const startSubgraph = async (name: SubgraphName) =>
  (await import('./subgraph-process.ts')).startSubgraphProcess(name, process.env);

/** Each process loads only what it runs. */
const roles = {
  gateway: async () => (await import('./gateway-process.ts')).startGatewayProcess(process.env),
  identity: () => startSubgraph('identity'),
  ticketing: () => startSubgraph('ticketing'),
  media: () => startSubgraph('media'),
  worker: async () => (await import('./worker-process.ts')).startWorkerProcess(process.env),
  upload: async () => (await import('./upload-process.ts')).startUploadProcess(process.env),
};

const [role = '', ...others] = process.argv.slice(2);

await run({
  async open() {
    assertNoArguments(others);
    if (Object.hasOwn(roles, role)) return roles[role as keyof typeof roles]();
    throw new ConfigError(`name the role of this process: ${Object.keys(roles).join(', ')}`);
  },
  opened({ url }) {
    process.stdout.write(`${role} is open: ${url}\n`);
    process.send?.({ url }); // to the supervisor, if one has started this process
  },
});
