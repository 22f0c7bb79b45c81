import { run } from '@foyer/shared/process/run';

import { startDistributedServer } from './server.ts';

await run({
  open: () => startDistributedServer(process.env),
  opened: ({ welcome }) => void process.stdout.write(welcome),
  stopLimitMs: 30_000, // of gateways, then of those behind them
});
