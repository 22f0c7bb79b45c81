import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect, it } from 'vitest';

/** A process that runs until something goes wrong in it. @param isHeard whether anybody reads what it says */
async function runUntil(wrong: string, isHeard = true) {
  const script = `
    import { run } from ${JSON.stringify(join(import.meta.dirname, 'run.ts'))};
    await run({
      open: async () => ({ stop: async () => void process.stdout.write('stopped') }),
      opened: () => void setTimeout(() => { ${wrong} }),
    });
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  if (!isHeard) child.stdout.destroy();
  let [said, complaint] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said, complaint };
}

it.each([
  ['an error', "throw new Error('a bug of ours')"],
  ['a rejection', "void Promise.reject(new Error('a bug of ours'))"],
])('%s that nobody catches is logged, and the process stops in the usual way', async (_what, wrong) => {
  const { code, said, complaint } = await runUntil(wrong);

  expect([code, said]).toEqual([1, 'stopped']);
  expect(complaint).toContain('Error: a bug of ours\n    at ');
});

it('nobody hears what it says, and the process goes on until it is told to stop', async () => {
  const untilUnheard = `
    const say = () =>
      process.stdout.write('said', (error) => (error ? process.kill(process.pid, 'SIGTERM') : setTimeout(say, 1)));
    say();`;

  expect(await runUntil(untilUnheard, false)).toEqual({ code: 0, said: '', complaint: '' });
});
