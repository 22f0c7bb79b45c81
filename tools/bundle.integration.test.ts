import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, expect, it } from 'vitest';

import { bundles, freshBundle } from '../server/src/bundle.ts';

const root = join(import.meta.dirname, '..');
const run = async (...args: string[]) =>
  promisify(execFile)(process.execPath, args, { cwd: root, env: { PATH: process.env['PATH'] } });

/** Prints the URL of every loaded module. */
const telling = `
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context); } });`;

beforeAll(() => run('tools/bundle.ts'));

it('makes a bundle that is fresh', () => {
  expect(freshBundle()?.entries.server).toMatch(/server\.mjs$/);
});

it('gives the command line the same words as its sources', async () => {
  const bundled = await run(join(bundles, freshBundle()?.entries.cli ?? ''), '--help');
  const sources = await run('server/src/cli/command.ts', '--help');
  expect(bundled.stdout).toBe(sources.stdout);
});

it('is run by the command line', async () => {
  const { stderr } = await run(
    `--import=data:text/javascript,${encodeURIComponent(telling)}`,
    'server/src/cli/main.ts',
    '--help',
  );
  expect(stderr).toContain('/foyer-bundle/');
  expect(stderr).not.toContain('/server/src/cli/program.ts');
});
