import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { stopServerProcess, startServerProcess, type ServerProcess } from './support/servers/server-process.ts';
import { testVideo } from './support/fixtures/video.ts';

let server: ServerProcess;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-readme-'));
  server = await startServerProcess();
});

afterAll(async () => {
  await stopServerProcess(server);
  await rm(folder, { recursive: true, force: true });
});

describe('the shell blocks of the README', () => {
  it('are read without complaint by dash, bash and zsh, where they are installed', async () => {
    const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
    expect(blocks.length).toBeGreaterThan(5);
    for (const shell of ['dash', 'bash', 'zsh'].filter((name) => existsSync(`/usr/bin/${name}`)))
      for (const block of blocks) await promisify(execFile)(shell, ['-n', '-c', block]);
  });
});

describe('the five minutes of the README', () => {
  it('can be pasted into a shell, from the first line to the last', async () => {
    const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
    const section = readme.split('## Five minutes in a shell')[1]?.split('\n## ')[0] ?? '';
    const script = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('\n');
    const here = script.replaceAll('http://localhost:4000', server.url);

    // --norc: bash may treat a socket as standard input like a remote login, and read the machine's start-up file.
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', here], {
      cwd: folder,
      env: { ...process.env, FILE: await testVideo(folder) },
    });

    expect(stderr).toBe('');
    expect(stdout).toContain('"password_change_required":false');
    expect(stdout).toMatch(/ORD-\d{8}-\w{13}\n/);
    expect(stdout).toMatch(/^SUCCESS$/m);
    expect(stdout).toMatch(/^done$/m);
    expect(stdout).toMatch(/"orders":\{"edges":\[\{"node":\{"orderNo":"ORD-[^"]+","transactionStatus":"SUCCESS"/);
    expect((await readFile(join(folder, 'tickets.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
    expect(await readFile(join(folder, 'result.html'), 'utf8')).toContain('Thank you');
    expect(await readFile(join(folder, 'first-bytes.bin'))).toHaveLength(100);
  });
});
