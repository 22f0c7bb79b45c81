import { run } from '@foyer/shared/config/run';

import { openHouse } from './server.ts';

await run({
  open: () => openHouse(process.env),
  opened: ({ welcome }) => void process.stdout.write(welcome),
});
