import { assertNoArguments } from '@foyer/shared/process/no-arguments';
import { run } from '@foyer/shared/process/run';

import { startDistributedServer } from './server.ts';

await run({
  async open() {
    assertNoArguments(process.argv.slice(2));
    return startDistributedServer(process.env);
  },
  opened: ({ welcome }) => void process.stdout.write(welcome),
  stopLimitMs: 30_000, // of gateways, then of those behind them
});
