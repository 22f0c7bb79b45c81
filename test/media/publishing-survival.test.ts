import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeHouse, openHouse, type House } from '../support/house.ts';
import { ended, mediaOf, rowOf } from '../support/media.ts';
import {
  aFilm,
  afterTheSweep,
  at,
  beginFilm,
  frozenIn,
  lacking,
  leftovers,
  programsOf,
  running,
} from '../support/survival.ts';
import { until } from '../support/until.ts';

let house: House;
let folder: string;
let film: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-survival-'));
  film = await aFilm(folder);
  house = await openHouse({ LOGIN_FLOOR_MS: '50', PROCESSING_BEAT_MS: '200' });
});
afterAll(async () => {
  await closeHouse(house);
  await rm(folder, { recursive: true, force: true });
});

const idOf = async (where: string): Promise<number> => (await rowOf(house, 'film.mp4', where)).id;
const nothing = { orphanCount: 0, missing: [] };

describe('kill -9 of the service', { timeout: 120_000 }, () => {
  const films = new Map<string, number>();

  // One film is held in each of the long steps, the last step first, so that one kill finds all of them at work.
  beforeAll(async () => {
    for (const step of ['transcode', 'normalize'] as const) films.set(step, await frozenIn(house, film, step));
    await beginFilm(house, film, 'killed-move');
    await killAndRestart();
    for (const id of [...films.values(), await idOf('killed-move')]) await ended(house, id);
  }, 300_000);

  async function killAndRestart() {
    await house.kill();
    await until('its programs to end', async () => (await programsOf(house)).length === 0);
    house = await house.restart();
  }

  /** The short steps give up a program that takes long: nothing can be held there. */
  async function killedIn(step: 'probe' | 'thumbnail'): Promise<number> {
    await beginFilm(house, film, `killed-${step}`);
    await running(house, at[step]);
    await killAndRestart();
    return idOf(`killed-${step}`);
  }

  it('right after the upload, while the file is moved: it ends whole', async () => {
    expect(await lacking(house, await idOf('killed-move'))).toEqual([]);
    expect(await afterTheSweep(house)).toEqual(nothing);
  });

  it.each([
    ['normalize', () => films.get('normalize')],
    ['probe', () => killedIn('probe')],
    ['thumbnail', () => killedIn('thumbnail')],
    ['transcode', () => films.get('transcode')],
  ] as const)('during the step %s: its programs end with it, and the media ends whole', async (_step, killed) => {
    expect(await lacking(house, (await killed()) ?? 0)).toEqual([]);
    expect(await afterTheSweep(house)).toEqual(nothing);
  });

  it('while the ladder is published: nothing is announced that is not there', async () => {
    await beginFilm(house, film, 'killed-package');
    const id = await idOf('killed-package');
    await until(
      'the first segment',
      async () => {
        const found = await readdir(join(house.dataDir, `media/media/acme/killed-package/${id}/hls`)).catch(() => []);
        return found.length > 0;
      },
      { everyMs: 1 },
    );
    await house.kill();
    house = await house.restart();
    const before = await mediaOf(house, id);
    expect(before.transcodingStage === 'done' || before.manifestKey === null).toBe(true);

    expect(await lacking(house, id)).toEqual([]);
    expect(await afterTheSweep(house)).toEqual(nothing);
  });
});

describe('a service that is told to stop', { timeout: 120_000 }, () => {
  it('with its programs, as a terminal and systemd do it: the media ends whole after the next start', async () => {
    await beginFilm(house, film, 'told-to-stop');
    const program = await running(house, at.transcode);
    await until('it to write', async () => (await leftovers(house)).some((file) => file.endsWith('.m4s')), {
      everyMs: 5,
    });
    const stopped = house.stop();
    process.kill(program.pid, 'SIGTERM');
    expect((await stopped).code).toBe(0);
    house = await house.restart();

    expect(await lacking(house, await idOf('told-to-stop'))).toEqual([]);
    expect(await afterTheSweep(house)).toEqual(nothing);
  });
});
