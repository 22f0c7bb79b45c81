import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Crashed, OverLimit, runProgram, type Program } from './run-program.ts';
import { findTools } from './tools.ts';

const GIB = 2 ** 30;
const tools = await findTools();
const bare = { prlimit: null, setpriv: null };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-programs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const { signal } = new AbortController();
const little = { cpuSeconds: 1, addressBytes: GIB, fileBytes: 2 ** 20 };
const shell = (script: string, more: Partial<Program> = {}): Program => ({
  name: 'the program',
  command: '/bin/sh',
  args: ['-c', script],
  limits: little,
  signal,
  timeoutMs: 60_000,
  ...more,
});

describe.each([
  ['with prlimit', tools],
  ['with a shell alone', bare],
])('a program that reads untrusted files, %s', (_how, held) => {
  it('sees nothing of our environment', async () => {
    const { output } = await runProgram(held, { ...shell(''), command: '/usr/bin/env', args: [] });
    const seen = output.split('\n').filter((line) => line !== '' && !/^(PWD|SHLVL|_|OLDPWD)=/.test(line));

    expect(seen).toEqual([]); // a shell in between sets its own, and nothing of ours
  });

  it('sees only the given environment', async () => {
    const { output } = await runProgram(held, shell('echo "$HOME"', { env: { HOME: '/nowhere' } }));

    expect(output).toBe('/nowhere\n');
  });

  it('ends when it takes too much of the processor', async () => {
    await expect(runProgram(held, shell('while :; do :; done'))).rejects.toBeInstanceOf(OverLimit);
  });

  it('ends when it writes too large a file', async () => {
    const file = join(folder, `large-${Math.random()}`);
    await expect(runProgram(held, shell(`exec head -c 3000000 /dev/zero > ${file}`))).rejects.toBeInstanceOf(OverLimit);

    expect((await stat(file)).size).toBeLessThanOrEqual(little.fileBytes);
  });

  it('ends with its children when it takes too long', async () => {
    // Its end is seen only when nobody holds its output any more.
    const stuck = shell('sleep 600 & wait', { timeoutMs: 500 });

    await expect(runProgram(held, stuck)).rejects.toThrow('the program took longer');
  });

  it('ends when its result is no longer needed', async () => {
    const controller = new AbortController();
    const running = runProgram(
      held,
      shell('echo up; sleep 600', { signal: controller.signal, onLine: () => controller.abort(new Error('deleted')) }),
    );

    await expect(running).rejects.toThrow('deleted');
  });

  it('that crashes is told from one that is killed', async () => {
    await expect(runProgram(held, shell('kill -SEGV $$'))).rejects.toBeInstanceOf(Crashed);
    await expect(runProgram(held, shell('kill -KILL $$'))).rejects.toThrow('was ended by SIGKILL');
  });
});

describe('a program that reads untrusted files', () => {
  it.skipIf(tools.prlimit === null)('gets no more memory than its limit', async () => {
    const { status, said } = await runProgram(
      tools,
      shell('exec head -c 2000000000 /dev/zero | tail -n 1 > /dev/null', { limits: { ...little, cpuSeconds: 60 } }),
    );

    expect([status === 0, said]).toEqual([false, expect.stringMatching(/memory/)]);
  });
});
