import { run } from '@foyer/shared/run';

import { openHouse } from './house.ts';

await run({
  open: () => openHouse(process.env),
  opened: ({ welcome }) => void process.stdout.write(welcome),
});
