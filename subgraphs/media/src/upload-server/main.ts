import { ConfigError } from '@foyer/shared/config';

import { readConfig } from './config.ts';
import { openUploadServer } from './server.ts';

try {
  const server = await openUploadServer(readConfig(process.env));
  process.stdout.write(`Uploads are taken at ${server.url}/files/\n`);
  process.send?.('open'); // to the process that started it, where one of ours did
  const stop = () => void server.stop().then(() => process.exit(0));
  process.on('SIGINT', stop).on('SIGTERM', stop).once('disconnect', stop);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`foyer upload server: ${error.message}\n`);
  process.exit(1);
}
