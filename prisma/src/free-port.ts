import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';

import getPort, { portNumbers } from 'get-port';

const FIRST = 20_000;
const LAST = 32_000;
const NEIGHBOURS = 100;

/**
 * Returns a free port for a server that is about to start; no other process gets it from here while this one lives. It lies
 * outside the kernel's range for outgoing connections (Linux: from 32768): such a port might be taken before the server
 * listens.
 */
export async function freePort(): Promise<number> {
  const from = randomInt(FIRST, LAST - NEIGHBOURS);
  const port = await getPort({ port: portNumbers(from, from + NEIGHBOURS) });
  return (await reserve(port)) ? port : freePort();
}

/**
 * Takes the UDP port of the same number, as a lock that ends with the process.
 *
 * @returns whether nobody else has it; true also where no UDP port can be had
 */
function reserve(port: number): Promise<boolean> {
  const lock = createSocket('udp4').unref();
  return new Promise((resolve) => {
    lock.once('error', (error: NodeJS.ErrnoException) => {
      lock.close();
      resolve(error.code !== 'EADDRINUSE');
    });
    lock.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}
