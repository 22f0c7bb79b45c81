import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeHouse, openHouse, type House } from '../support/house.ts';
import { rowOf } from '../support/media.ts';
import { aFilm, afterTheSweep, at, beginFilm, lacking, programsOf, running } from '../support/survival.ts';
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
  it('right after the upload, while the file is moved: it ends whole', async () => {
    await beginFilm(house, film, 'killed-move');
    await house.kill();
    house = await house.restart();

    expect(await lacking(house, await idOf('killed-move'))).toEqual([]);
    expect(await afterTheSweep(house)).toEqual(nothing);
  });

  it.each(['normalize', 'probe'] as const)(
    'during the step %s: its programs end with it, and the media ends whole',
    async (step) => {
      await beginFilm(house, film, `killed-${step}`);
      await running(house, at[step]);
      await house.kill();
      await until('its programs to end', async () => (await programsOf(house)).length === 0);
      house = await house.restart();

      expect(await lacking(house, await idOf(`killed-${step}`))).toEqual([]);
      expect(await afterTheSweep(house)).toEqual(nothing);
    },
  );
});
