import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { expect } from 'vitest';

import { runProgram } from '../../../server/src/cli/program.ts';
import type { Json } from '../json.ts';

export const root = join(import.meta.dirname, '../../..');
export const node = join(root, 'node_modules/.bin/node');

interface Ended {
  code: number;
  out: string;
  err: string;
}

type Env = Record<string, string>;

/** The shell of an operator of a server, in which `pnpm foyer …` is called. */
export function operatorShell(dataDir: () => string) {
  /** The variables of the shell. */
  const ours = () => ({ PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir() });

  /** `pnpm foyer …`, without the detour over pnpm. */
  const spawned = (args: string[], env: Env = {}): Promise<Ended> =>
    new Promise((resolve) => {
      const surroundings = { ...ours(), ...env };
      execFile(node, ['server/src/cli/main.ts', ...args], { cwd: root, env: surroundings }, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
      );
    });

  /** The same in this process: a process for each of dozens of commands would load the code each time. */
  async function foyer(args: string[], env: Env = {}): Promise<Ended> {
    const [out, err] = [new PassThrough(), new PassThrough()];
    const written = Promise.all([text(out), text(err)]);
    const { signal } = new AbortController();
    const code = await runProgram(args, { env: { ...ours(), ...env }, out, err, signal });
    out.end();
    err.end();
    const [said, complained] = await written;
    return { code, out: said, err: complained };
  }

  /** The same with `--json`: whether it was done, and its output. */
  async function json(...args: string[]): Promise<Json> {
    const { code, out, err } = await foyer([...args, '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out);
  }

  return { ours, spawned, foyer, json };
}
