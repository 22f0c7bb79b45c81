import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { sourceStack } from './source-stack.ts';

let folder = '';
let chunk = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-stack-'));
  await mkdir(join(folder, 'foyer-bundle'));
  chunk = pathToFileURL(join(folder, 'foyer-bundle/server.mjs')).href;
  // The third line of the bundle, from its first column on, is the fifth line of the source.
  const map = { version: 3, sources: ['../src/payment.ts'], names: [], mappings: ';;AAIA' };
  await writeFile(join(folder, 'foyer-bundle/server.mjs.map'), JSON.stringify(map));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('names the source of a line of the bundle', () => {
  const stack = `Error: no bank\n    at async pay (${chunk}:3:1)\n    at node:internal/process:1:2`;
  const source = pathToFileURL(join(folder, 'src/payment.ts')).href;
  expect(sourceStack(stack)).toBe(`Error: no bank\n    at async pay (${source}:5:1)\n    at node:internal/process:1:2`);
});

it('leaves a line unchanged when it has no source position', () => {
  const stack = `Error: no bank\n    at pay (${chunk.replace('server', 'lost')}:3:1)`;
  expect(sourceStack(stack)).toBe(stack);
});
