import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeStores, noS3 } from '@foyer/shared/testing/s3';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { withNewBucket } from '../support/s3.ts';
import { openKilledLibrary } from '../support/servers/killed-library.ts';
import { startServerProcess, stopServerProcess } from '../support/servers/server-process.ts';

/** Of the time of a start: on a busy machine the server lives longer as well. */
const LONGEST_LIFE = 0.7;

interface Store {
  where: string;
  kills: number;
  isS3?: boolean;
  variables: () => Record<string, string>;
}

/** What was interrupted is finished a minute or two later: on S3 while the server on a disk is being killed. */
const stores: readonly Store[] = [
  { where: 'S3', kills: 10, isS3: true, variables: () => withNewBucket() },
  { where: 'a disk', kills: 30, variables: () => ({}) },
];

const lostOn = new Map<string, { seed: number; lost: Promise<string[]> }>();
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  for (const store of stores) if (!(store.isS3 && noS3)) lostOn.set(store.where, await killAtRandom(store));
}, 1_800_000);
afterAll(async () => {
  for (const end of ends) await end();
});

/** Kills a server while clients upload, move and delete, and begins to look for what is lost. */
async function killAtRandom({ where, kills, variables }: Store) {
  const seed = Date.now() % 2 ** 31;
  console.info(`random-kills: seed ${seed} on ${where}`);
  const folder = await mkdtemp(join(tmpdir(), 'foyer-kills-'));
  // One process: a start of many would take most of the time.
  let server = await startServerProcess({ LOGIN_FLOOR_MS: '50', PROCESSING_BEAT_MS: '200', ...variables() }, 'single');
  const library = await openKilledLibrary({ folder, seed, server: () => server });
  ends.push(async () => {
    await library.end();
    await stopServerProcess(server);
    await rm(folder, { recursive: true, force: true });
  });

  let startMs = 3_000;
  for (let kill = 1; kill <= kills; kill += 1) {
    await library.live(library.random() * LONGEST_LIFE * startMs);
    await server.kill();
    const begun = performance.now();
    server = await server.restart();
    startMs = performance.now() - begun;
  }
  const lost = library.lost();
  lost.catch(() => undefined); // the test of this store reports it
  return { seed, lost };
}

describeStores('kill -9 at random moments of uploading, processing, moving and deleting on', stores, (store) => {
  it(`loses nothing, ${store.kills} times`, async () => {
    const { seed = 0, lost = [] } = lostOn.get(store.where) ?? {};
    expect(await lost, `with the seed ${seed}: ${(await lost).join(', ')}`).toEqual([]);
  }, 1_800_000);
});
