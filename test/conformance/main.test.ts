import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { freePort } from '@foyer/prisma/free-port';
import { expect, it } from 'vitest';

/** Runs `pnpm conformance`, and returns how it ends and what it says. */
const conformance = (...options: string[]) =>
  new Promise<{ code: unknown; said: string }>((done) => {
    const args = [join(import.meta.dirname, 'main.ts'), ...options];
    execFile(process.execPath, args, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, said: `${stdout}${stderr}` }),
    );
  });

it('a server that does not answer is one line, and no row is checked', async () => {
  const url = `http://localhost:${await freePort()}`;
  expect(await conformance('--url', url)).toEqual({ code: 2, said: `conformance: ${url} does not answer\n` });
});

it.each([
  ['--url', 'localhost', 'must be an address such as http://localhost:4000'],
  ['--mode', 'lenient', 'must be documented or strict'],
])('%s %s is refused in one line', async (option, value, said) => {
  expect(await conformance(option, value)).toEqual({ code: 2, said: `conformance: ${option} ${said}\n` });
});
