import { openUploadServer } from '@foyer/media/upload-server';
import { readConfig } from '@foyer/media/upload-server/config';
import { openLog } from '@foyer/shared/telemetry/log';

import { assertPortIsFree } from '../composition/port.ts';
import { openTraces } from '../composition/tracing.ts';
import { openFolder } from '../data-dir/data-dir.ts';

/**
 * Starts a process that accepts uploads (tus) into the store, and reports those that are complete to media.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export async function startUploadProcess(env: NodeJS.ProcessEnv) {
  await using stack = new AsyncDisposableStack();
  const config = readConfig(env);
  const log = openLog(config.logLevel);
  stack.adopt(await openTraces(env, { name: 'foyer-uploads', log }), (open) => open.stop());
  await assertPortIsFree(config.port, config.host, 'UPLOAD_SERVER_');
  await openFolder('MEDIA_DIR', config.media.store.folder);
  const { url, drainMs } = stack.adopt(await openUploadServer(config, log), (open) => open.stop());
  const running = stack.move();
  return { url, drainMs, stop: () => running.disposeAsync() };
}
