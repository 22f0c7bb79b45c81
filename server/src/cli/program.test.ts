import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { runProgram } from './program.ts';

/** Runs a command to its end; returns its output and its exit code. */
async function foyer(args: string[], env: NodeJS.ProcessEnv = {}) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const code = await runProgram(args, { env, out, err, signal: new AbortController().signal });
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
}

describe('pnpm foyer', () => {
  it.each([
    [[]],
    ...['migrate', 'seed', 'doctor', 'reconcile'].map((name) => [[name]]),
    ...['license issue', 'user unlock', 'audit tail', 'media retry', 'orders requery', 'platform owner'].map((name) => [
      name.split(' '),
    ]),
  ])('%j --help explains it', async (args) => {
    const { code, out } = await foyer([...args, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: ${['foyer', ...args].join(' ')}`);
  });

  it.each([
    [['open-sesame'], 'unknown command'],
    [['migrate', '--quickly'], 'unknown option'],
    [['user', 'unlock', 'orgadmin@acme.test'], '--company-code'],
    [['platform', 'owner', 'add', 'admin@foyer.test'], '--company-code'],
    [['platform', 'owner', 'crown', 'admin@foyer.test'], 'unknown command'],
    [['user', 'unlock', 'somebody', '--company-code', 'ACME', '--address', 'here'], 'here is no IP address'],
    [['audit', 'tail', '--lines', 'many'], '--lines must be a number'],
    [['media', 'retry'], 'give ids of media items, or --failed'],
    [['media', 'retry', 'seven'], 'seven is no id'],
    [['orders', 'requery', 'X', '--pending'], 'give order numbers, or --pending'],
    [['license', 'issue', '--days', '3'], '--company-code is needed'],
  ])('%j is a wrong use: exit code 2', async (args, complaint) => {
    const { code, out, err } = await foyer(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(complaint);
  });

  it('names the invalid variable', async () => {
    const { code, err } = await foyer(['migrate'], { PORT: 'first' });
    expect({ code, err }).toEqual({ code: 1, err: 'foyer: PORT: must be a port number\n' });
  });
});
