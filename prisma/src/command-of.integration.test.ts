import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandOf } from './command-of.ts';

let running: ChildProcess;
beforeAll(async () => {
  running = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'a folder', '-p']);
  await once(running, 'spawn');
});
afterAll(() => running.kill());

describe.each([
  ['/proc', '/proc'],
  ['ps, where there is no /proc', '/nope'],
])('by %s', (_name, proc) => {
  it('the command of a process shows its arguments', async () => {
    expect(await commandOf(running.pid ?? 0, proc)).toContain(' a folder -p ');
  });

  it('that of a process that has ended is empty', async () => {
    const ended = spawn(process.execPath, ['-e', '']);
    await once(ended, 'close');
    expect(await commandOf(ended.pid ?? 0, proc)).toBe('');
  });
});
