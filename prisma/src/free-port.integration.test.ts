import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

const PROCESSES = 3;
const PORTS = 200;

/** A process that asks for ports, listens on none of them, and stays until all have asked. */
const asking = `
  import { freePort } from ${JSON.stringify(join(import.meta.dirname, 'free-port.ts'))};
  const ports = [];
  for (let asked = 0; asked < ${PORTS}; asked += 1) ports.push(await freePort());
  process.stdout.write(JSON.stringify(ports));
  process.stdin.resume().once('data', () => process.exit());
`;

async function startAsking() {
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', asking]);
  const ports = new Promise<number[]>((resolve) => {
    running.child.stdout?.on('data', (json: Buffer) => resolve(JSON.parse(json.toString()) as number[]));
  });
  return {
    ports: Promise.race([ports, running.then(() => [])]),
    async end() {
      running.child.stdin?.write('end');
      await running;
    },
  };
}

it('a port is given to one process only, also before a server listens there', async () => {
  const processes = await Promise.all(Array.from({ length: PROCESSES }, startAsking));
  const ports = (await Promise.all(processes.map((each) => each.ports))).flat();
  await Promise.all(processes.map((each) => each.end()));
  expect(ports).toHaveLength(PROCESSES * PORTS);
  expect(new Set(ports).size).toBe(PROCESSES * PORTS);
});
