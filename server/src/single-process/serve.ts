import { assertNoArguments } from '@foyer/shared/process/no-arguments';
import { run } from '@foyer/shared/process/run';

import { startServer } from './server.ts';

await run({
  async open() {
    assertNoArguments(process.argv.slice(2));
    return startServer(process.env);
  },
  opened: ({ welcome }) => void process.stdout.write(welcome),
});
