import { once } from 'node:events';
import { createServer } from 'node:net';

import { ConfigError } from '@foyer/shared/config/config';

/**
 * Checks that a port can be used, so that a start fails before anything else is started.
 *
 * @throws {ConfigError} naming PORT
 */
export async function assertPortIsFree(port: number, host: string): Promise<void> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw new ConfigError(`PORT: ${port} ${taken ? 'is taken by another process' : 'can not be used on this machine'}`);
  }
  probe.close();
  await once(probe, 'close');
}
