import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

import { ConfigError } from '@foyer/shared/config';

/**
 * Fails before anything else is started when the port can't be had.
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

/** Below those from which systems take the ports of outgoing connections. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Ports of this machine that nobody listens on, for processes that are about to. */
export async function freePorts(count: number): Promise<number[]> {
  const free = new Set<number>();
  while (free.size < count) {
    const port = randomInt(LOWEST, HIGHEST);
    const taken = await assertPortIsFree(port, '127.0.0.1').catch(() => true);
    if (!taken) free.add(port);
  }
  return [...free];
}
