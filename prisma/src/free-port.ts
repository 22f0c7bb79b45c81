import { randomInt } from 'node:crypto';

import getPort, { portNumbers } from 'get-port';

const FIRST = 20_000;
const LAST = 32_000;
const NEIGHBOURS = 100;

/**
 * A port on which nobody listens, for a server that is yet to start. It is none of those from which a kernel gives one to
 * each connection that goes out (Linux: from 32768): such a port may be taken before the server is there.
 */
export function freePort(): Promise<number> {
  const from = randomInt(FIRST, LAST - NEIGHBOURS);
  return getPort({ port: portNumbers(from, from + NEIGHBOURS) });
}
