import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startServerProcess, stopServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import { openLibraryUnderFire, type LibraryUnderFire } from '../support/servers/library-under-fire.ts';

const KILLS = 30;
/** Of the time of a start: on a busy machine the server lives longer as well. */
const LONGEST_LIFE = 0.7;

let folder: string;
let server: ServerProcess;
let library: LibraryUnderFire;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-kills-'));
  // One process: a start of many would take most of the time.
  server = await startServerProcess({ LOGIN_FLOOR_MS: '50', PROCESSING_BEAT_MS: '200' }, 'single');
});
afterAll(async () => {
  await library?.end();
  await stopServerProcess(server);
  await rm(folder, { recursive: true, force: true });
});

it(`kill -9 at ${KILLS} random moments of uploading, processing, moving and deleting loses nothing`, async () => {
  const seed = Date.now() % 2 ** 31;
  console.info(`random-kills: seed ${seed}`);
  library = await openLibraryUnderFire({ folder, seed, server: () => server });
  let startMs = 3_000;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await library.live(library.random() * LONGEST_LIFE * startMs);
    await server.kill();
    const begun = performance.now();
    server = await server.restart();
    startMs = performance.now() - begun;
  }

  const lost = await library.lost();
  expect(lost, `with the seed ${seed}: ${lost.join(', ')}`).toEqual([]);
}, 1_800_000);
