import { openLog } from '@foyer/shared/telemetry/log';
import { openTracing } from '@foyer/shared/telemetry/open-tracing';
import { run } from '@foyer/shared/process/run';

import { readConfig } from './config.ts';
import { openUploadServer } from './server.ts';

await run({
  name: 'foyer upload server',
  async open() {
    const config = readConfig(process.env);
    const log = openLog(config.logLevel);
    const tracing = await openTracing(process.env, { name: 'foyer-uploads', log });
    const { url, drainMs, stop } = await openUploadServer(config, log);
    return { url, drainMs, stop: () => stop().then(tracing.stop) };
  },
  opened({ url }) {
    process.stdout.write(`Uploads are taken at ${url}/files/\n`);
    process.send?.({ url }); // to the parent process, where the supervisor started it
  },
});
