import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeHouse, openHouse, type House } from '../support/house.ts';
import { rowOf } from '../support/media.ts';
import { aFilm, afterTheSweep, at, beginFilm, lacking, running } from '../support/survival.ts';

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

describe('kill -9 of ffmpeg', { timeout: 120_000 }, () => {
  it.each(['normalize', 'probe', 'thumbnail', 'transcode'] as const)(
    'during the step %s: another try makes it whole',
    async (step) => {
      await beginFilm(house, film, `ended-${step}`);
      process.kill((await running(house, at[step])).pid, 'SIGKILL');

      expect(await lacking(house, await idOf(`ended-${step}`))).toEqual([]);
      expect(await afterTheSweep(house)).toEqual(nothing);
    },
  );
});
