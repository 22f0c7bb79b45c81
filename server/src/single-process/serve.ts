import { run } from '@foyer/shared/process/run';

import { startServer } from './server.ts';

await run({
  open: () => startServer(process.env),
  opened: ({ welcome }) => void process.stdout.write(welcome),
});
