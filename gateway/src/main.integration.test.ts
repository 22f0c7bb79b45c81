import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-main-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command to its end; returns the exit code and what it prints. */
async function gateway(args: string[], nodeOptions: string[] = []): Promise<[number | null, string]> {
  const main = join(import.meta.dirname, 'main.mjs');
  const child = spawn(process.execPath, [...nodeOptions, main, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, printed.replaceAll(folder, '')];
}

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

/** Starts the gateway over our own supergraph. */
async function opened(env: Record<string, string>) {
  const supergraph = join(import.meta.dirname, '../supergraph.graphql');
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.mjs'), '--supergraph', supergraph], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await expect.poll(() => printed, { timeout: 40_000 }).toContain('/graphql');
  const [url = ''] = /http:\S+/.exec(printed) ?? [];
  return { url, child };
}

describe('node gateway/src/main.mjs', () => {
  it('that is told to stop goes on answering for SHUTDOWN_DELAY_MS, and is not ready', async () => {
    const { url, child } = await opened({ SHUTDOWN_DELAY_MS: '60000' });
    child.kill('SIGTERM');
    const ready = async () => (await fetch(new URL('/health/ready', url))).status;
    await expect.poll(ready, { timeout: 15_000 }).toBe(503);
    expect((await fetch(new URL('/health/live', url))).status).toBe(200);
  });

  it('says which Node it needs', async () => {
    const versions = `Object.defineProperties(process, { versions: { value: { node: '20.20.2' } }, version: { value: 'v20.20.2' } })`;

    expect(await gateway([], ['--import', `data:text/javascript,${encodeURIComponent(versions)}`])).toEqual([
      1,
      'gateway: this needs Node 24 or newer, and is v20.20.2\n',
    ]);
  });

  it.each([
    ['a syntax error', 'hello {', 'Syntax Error: Unexpected Name "hello".'],
    ['nothing', '', 'Syntax Error: Unexpected <EOF>.'],
    ['a schema', 'type Query { a: Int }', 'Invalid supergraph: must be a core schema'],
  ])('says in one line that a file with %s is no supergraph', async (_what, text, why) => {
    const file = await fileOf('supergraph.graphql', text);

    expect(await gateway(['--supergraph', file])).toEqual([
      1,
      `gateway: /supergraph.graphql is no supergraph: ${why}\n`,
    ]);
  });

  it('says in one line that the file of the supergraph is missing', async () => {
    expect(await gateway(['--supergraph', join(folder, 'none.graphql')])).toEqual([
      1,
      'gateway: the supergraph /none.graphql can not be read: ENOENT\n',
    ]);
  });

  it('says in one line that it does not know an argument', async () => {
    expect(await gateway(['--nope'])).toEqual([1, expect.stringMatching(/^gateway: Unknown option '--nope'.*\n$/)]);
  });
});
