import { ConfigError } from '@foyer/shared/config';
import { openLog } from '@foyer/shared/log';
import { openTracing } from '@foyer/shared/open-tracing';

import { readConfig } from './config.ts';
import { openUploadServer } from './server.ts';

try {
  const config = readConfig(process.env);
  const log = openLog(config.logLevel);
  const tracing = await openTracing(process.env, { name: 'foyer-uploads', log });
  const server = await openUploadServer(config, log);
  process.stdout.write(`Uploads are taken at ${server.url}/files/\n`);
  process.send?.('open'); // to the process that started it, where one of ours did
  const stop = () =>
    void server
      .stop()
      .then(tracing.stop)
      .then(() => process.exit(0));
  process.on('SIGINT', stop).on('SIGTERM', stop).once('disconnect', stop);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`foyer upload server: ${error.message}\n`);
  process.exit(1);
}
