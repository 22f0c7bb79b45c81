import { randomInt } from 'node:crypto';

import getPort, { portNumbers } from 'get-port';

const FIRST = 20_000;
const LAST = 32_000;
const NEIGHBOURS = 100;

/**
 * Returns a free port for a server that is about to start. It lies outside the kernel's range for outgoing connections
 * (Linux: from 32768): such a port might be taken before the server listens.
 */
export function freePort(): Promise<number> {
  const from = randomInt(FIRST, LAST - NEIGHBOURS);
  return getPort({ port: portNumbers(from, from + NEIGHBOURS) });
}
