import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { ConfigError } from '@foyer/shared/config/config';
import { openLog } from '@foyer/shared/telemetry/log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { openDataDir } from '../data-dir/data-dir.ts';
import { startEmbeddedServices, type ServiceName } from './embedded-services.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-embedded-'));
  await mkdir(join(folder, 'postgres/data'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

/** How a start on this data folder fails. */
async function refusal(wanted: ServiceName = 'database'): Promise<Error> {
  const dataDir = await openDataDir(folder);
  const config = readConfig({ DATA_DIR: folder });
  const starting = startEmbeddedServices({
    config,
    dataDir,
    secrets: undefined,
    log: openLog('silent'),
    wanted: [wanted],
  });
  const refused = await starting.then(
    () => new Error('it started'),
    (error: unknown) => error as Error,
  );
  await dataDir.release();
  return refused;
}

describe('the embedded PostgreSQL', () => {
  it('says in one line, with its folder, why it can not use its data', async () => {
    await writeFile(join(folder, 'postgres/password'), 'secret');

    const refused = await refusal();

    expect(refused).toBeInstanceOf(ConfigError);
    expect(refused.message).toMatch(/^DATA_DIR: PostgreSQL in \S+\/postgres does not start: .*postgresql\.conf.*$/);
  });

  it('names the file of its password when it is missing beside the data, or empty, and makes no other', async () => {
    const file = join(folder, 'postgres/password');
    const missing = new RegExp(`^DATA_DIR: .*: ${file} is missing or empty: restore it from a copy$`);

    expect((await refusal()).message).toMatch(missing);
    await writeFile(file, '');
    expect((await refusal()).message).toMatch(missing);
  });
});

it.each<[ServiceName, string, string]>([
  ['identityProvider', 'identity-provider/state.json', '{"instanceId":"3123'],
  ['identityProvider', 'identity-provider/state.json', ''],
  ['identityProvider', 'identity-provider/state.json', '{"instanceId":"3123","organizations":[],"users":[null]}'],
  ['streamer', 'streamer/streams.json', '[{"id":'],
])(
  '%s names the file %s in one line when it is damaged (%s), and does not replace it',
  async (service, name, damaged) => {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, damaged);

    const refused = await refusal(service);

    expect(refused).toBeInstanceOf(ConfigError);
    expect(refused.message).toBe(`DATA_DIR: ${file} is damaged: restore it from a copy`);
    expect(await readFile(file, 'utf8')).toBe(damaged);
  },
);
