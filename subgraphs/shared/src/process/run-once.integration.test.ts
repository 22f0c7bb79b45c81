import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { identityOf } from './processes.ts';
import { runOnce } from './run-once.ts';

const itself = JSON.stringify(join(import.meta.dirname, 'run-once.ts'));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-run-once-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a module whose work is the body of a function. */
async function moduleOf(work: string): Promise<URL> {
  const file = join(folder, `${crypto.randomUUID()}.mts`);
  await writeFile(file, `import { answerOnce } from ${itself};\nanswerOnce(async (input: number[]) => { ${work} });`);
  return pathToFileURL(file);
}

it('answers from another process, which has ended by then', async () => {
  const answer = await runOnce(
    await moduleOf('return { pid: process.pid, doubled: input.map((one) => one * 2) };'),
    [1, 2],
  );

  const { pid, doubled } = answer as { pid: number; doubled: number[] };
  expect(doubled).toEqual([2, 4]);
  expect(await identityOf(pid)).toBe('');
});

it('throws what the work throws', async () => {
  const failed = runOnce(await moduleOf("throw new RangeError('no such number');"), []);

  await expect(failed).rejects.toMatchObject({
    name: 'RangeError',
    message: 'no such number',
    stack: expect.stringContaining('\n    at '),
  });
});

it('says when the process ends without an answer', async () => {
  await expect(runOnce(await moduleOf('process.exit(7);'), [])).rejects.toThrow(
    /\.mts ended early with the exit code 7$/,
  );
  await expect(runOnce(await moduleOf("process.kill(process.pid, 'SIGKILL');"), [])).rejects.toThrow('SIGKILL');
});

it('finishes its work when a service manager tells all processes to stop', async () => {
  const work =
    "process.kill(process.pid, 'SIGTERM'); await new Promise((done) => setTimeout(done, 100)); return 'done';";
  expect(await runOnce(await moduleOf(work), [])).toBe('done');
});

it('ends with its parent', async () => {
  const working = await moduleOf('console.log(process.pid); await new Promise((done) => setTimeout(done, 60_000));');
  const script = `const { runOnce } = await import(${itself}); await runOnce(new URL(${JSON.stringify(working)}), []);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(printed.toString());
  expect(await identityOf(pid)).not.toBe('');

  parent.kill('SIGKILL');

  await expect.poll(() => identityOf(pid)).toBe('');
});
