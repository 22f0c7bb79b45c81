import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { startEmbeddedPostgres } from './embedded.ts';

it('a server that an earlier start has left, and that does not end, is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-leftover-'));
  const data = join(folder, 'data');
  await mkdir(data);
  await writeFile(join(folder, 'password'), 'secret');
  const endless = `for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => {});
    console.log(); setInterval(() => {}, 1000);`;
  const left = spawn(process.execPath, ['-e', endless, '--', '-D', data, '-p', '5432']);
  await once(left.stdout, 'data');
  await writeFile(join(data, 'postmaster.pid'), `${left.pid}\n${data}\n`);

  await expect(startEmbeddedPostgres(folder, { leftoverMs: 100 })).rejects.toThrow(
    `process ${left.pid}, which an earlier start has left, does not end`,
  );

  left.kill('SIGKILL');
  await rm(folder, { recursive: true });
});
