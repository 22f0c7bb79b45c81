import { run } from '@foyer/shared/config/run';

import { openDistributedHouse } from '../house.ts';

await run({
  open: () => openDistributedHouse(process.env),
  opened: ({ welcome }) => void process.stdout.write(welcome),
  stopLimitMs: 30_000, // gateways first, then those behind them
});
