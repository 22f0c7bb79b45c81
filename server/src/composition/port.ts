import { once } from 'node:events';
import { createServer } from 'node:net';

import { ConfigError } from '@foyer/shared/config/config';

const foreignHost: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL']);

/**
 * Checks that a port can be used, so that a start fails before anything else is started.
 *
 * @param prefix of the variables PORT and HOST
 * @throws {ConfigError} naming PORT, or HOST where that is wrong
 */
export async function assertPortIsFree(port: number, host: string, prefix = ''): Promise<void> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (foreignHost.has(code)) throw new ConfigError(`${prefix}HOST: ${host} is no address of this machine`);
    const why = code === 'EADDRINUSE' ? 'is taken by another process' : 'can not be used on this machine';
    throw new ConfigError(`${prefix}PORT: ${port} ${why}`);
  }
  probe.close();
  await once(probe, 'close');
}
