import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, expect, it } from 'vitest';

const file = join(tmpdir(), `foyer-log-${process.pid}`);
afterAll(() => Promise.all([file, `${file}-recovered`].map((path) => rm(path, { force: true }))));

/** A process that writes a hundred lines, does something else meanwhile, and ends. */
const PROGRAM = `
  import { openLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
  const log = openLog('info');
  for (let line = 0; line < 100; line += 1) {
    log.info({ line }, 'something happened');
    await new Promise(setImmediate);
  }
  process.stderr.write('went on');
`;

async function logTo(path: string, program = PROGRAM) {
  const output = await open(path, 'w');
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', output.fd, 'pipe'],
    timeout: 60_000,
  });
  const [said, [code]] = await Promise.all([child.stderr && text(child.stderr), once(child, 'exit')]);
  await output.close();
  return { said, code: code as number | null };
}

const FULL = '/dev/full';
const hasFull = existsSync(FULL);
const skipped = hasFull ? '' : ' (skipped: this system has no /dev/full)';

it.skipIf(!hasFull)(
  `a process whose log can not be written, because the disk is full, goes on and ends${skipped}`,
  async () => {
    expect(await logTo(FULL)).toEqual({ said: 'went on', code: 0 });
  },
);

/** A process whose standard output can't be written until far more has been logged than may wait. */
const RECOVERING = `
  import { closeSync, openSync } from 'node:fs';
  import { openLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
  const log = openLog('info');
  closeSync(1);
  for (let line = 0; line < 300; line += 1) log.info({ text: 'x'.repeat(10_000) }, 'lost, or late');
  if (openSync(${JSON.stringify(`${file}-recovered`)}, 'a') !== 1) throw new Error('another file has the number');
  for (let line = 0; line < 3; line += 1) log.info({ text: 'y'.repeat(10_000) }, 'could be written');
`;

it('the log goes on once it can be written again', async () => {
  expect((await logTo(file, RECOVERING)).code).toBe(0);
  const lines = (await readFile(`${file}-recovered`, 'utf8')).trimEnd().split('\n');
  expect((JSON.parse(lines.at(-1) ?? '') as { msg: string }).msg).toBe('could be written');
});

it('each line of the log is in the file when the process has ended', async () => {
  expect(await logTo(file)).toEqual({ said: 'went on', code: 0 });
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual([...Array(100).keys()]);
});
