import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigError } from '@foyer/shared/config/config';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { loadOrCreateSecrets } from './secrets.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-secrets-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('the secrets of an installation stay the same, and one that a newer version needs is added', async () => {
  const file = join(folder, 'secrets.json');
  const made = await loadOrCreateSecrets(file);
  expect(await loadOrCreateSecrets(file)).toEqual(made);

  const { HOOK_SECRET, ...older } = made;
  await writeFile(file, JSON.stringify(older));
  const { HOOK_SECRET: added, ...kept } = await loadOrCreateSecrets(file);
  expect(kept).toEqual(older);
  expect(added).not.toBe(HOOK_SECRET);
});

it.each(['', '{"AUTH_JWT_PRIVATE_KEY":"-----BEG', 'null', '[]', '{"HOOK_SECRET":1}'])(
  'a file of secrets that holds %j is named in one line, and not replaced: its keys decrypt what is stored',
  async (damaged) => {
    const file = join(folder, 'damaged.json');
    await writeFile(file, damaged);

    const refused = await loadOrCreateSecrets(file).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(ConfigError);
    expect((refused as Error).message).toBe(`DATA_DIR: ${file} is damaged: restore it from a copy`);
    expect(await readFile(file, 'utf8')).toBe(damaged);
  },
);
