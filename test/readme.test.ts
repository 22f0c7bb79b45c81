import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { lacks, why } from '@foyer/shared/testing/missing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeServer, startServer, type HostedServer } from './support/servers/hosted-server.ts';
import { testVideo } from './support/fixtures/video.ts';

let server: HostedServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-readme-'));
  server = await startServer();
});

afterAll(async () => {
  await closeServer(server);
  await rm(folder, { recursive: true, force: true });
});

/** As strict as each shell can be; none of them reads start-up files of the machine. */
const shells = {
  bash: ['--norc', '-euo', 'pipefail', '-c'],
  zsh: ['-f', '-euo', 'pipefail', '-c'],
  dash: ['-eu', '-c'],
} as const;

const readme = () => readFile(join(import.meta.dirname, '../README.md'), 'utf8');
const blocksOf = (text: string) => [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);

describe('the shell blocks of the README', () => {
  for (const shell of Object.keys(shells))
    it.skipIf(lacks(shell))(`are read without complaint by ${shell}${why(shell)}`, async () => {
      const blocks = blocksOf(await readme());
      expect(blocks.length).toBeGreaterThan(5);
      for (const block of blocks) await promisify(execFile)(shell, ['-n', '-c', block]);
    });
});

/** Runs blocks of the five minutes one after the other, in one shell, in a folder of their own. */
async function paste(shell: keyof typeof shells, isWanted: (block: string) => boolean = () => true) {
  const section = (await readme()).split('## Five minutes in a shell')[1]?.split('\n## ')[0] ?? '';
  const script = blocksOf(section).filter(isWanted).join('\n').replaceAll('http://localhost:4000', server.url);
  const cwd = join(folder, shell);
  await mkdir(cwd);
  const run = promisify(execFile)(shell, [...shells[shell], script], {
    cwd,
    env: { ...process.env, FILE: await testVideo(folder) },
  });
  const { stdout, stderr } = await run;
  const file = (name: string) => readFile(join(cwd, name));

  expect(stderr).toBe('');
  expect(stdout).toContain('"password_change_required":false');
  expect(stdout).toMatch(/ORD-\d{8}-\w{13}\n/);
  expect(stdout).toMatch(/^SUCCESS$/m);
  expect(stdout).toMatch(/"orders":\{"edges":\[\{"node":\{"orderNo":"ORD-[^"]+","transactionStatus":"SUCCESS"/);
  expect((await file('tickets.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await file('result.html')).toString()).toContain('Thank you');
  return { stdout, file };
}

describe('the five minutes of the README', () => {
  it('can be pasted into bash, from the first line to the last', async () => {
    const { stdout, file } = await paste('bash');

    expect(stdout).toMatch(/^done$/m);
    expect(await file('first-bytes.bin')).toHaveLength(100);
  });

  // The upload is the long part, and has nothing that another shell reads differently.
  for (const shell of ['zsh', 'dash'] as const)
    it.skipIf(lacks(shell))(`can be pasted into ${shell}, but for the upload${why(shell)}`, async () => {
      const { stdout } = await paste(shell, (block) => !block.includes('/api/media/prepare'));

      expect(stdout).not.toMatch(/^done$/m);
    });
});
