import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { aPresentation } from '@foyer/media/testing/zip';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeHouse, openHouse, type House } from '../support/house.ts';
import { asset, ended, rowOf, uploadOnly } from '../support/media.ts';
import { lacks, why } from '../support/missing.ts';
import { send } from '../support/people.ts';
import { aFilm, afterTheSweep, at, beginFilm, lacking, leftovers, programsOf, running } from '../support/survival.ts';
import { until } from '../support/until.ts';
import { madeByFfmpeg } from '../support/video.ts';

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

async function beginFile(name: string, content: Uint8Array, mediaType: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  await uploadOnly(house, file, { folder: name.replace('.', '-'), mediaType, mimeType: 'application/octet-stream' });
  return name;
}

/** Its end, and what its preview answers. */
async function previewOf(name: string) {
  const { id } = await rowOf(house, name, name.replace('.', '-'));
  const { transcodingStage, thumbnailKey } = await ended(house, id);
  return [transcodingStage, thumbnailKey && (await asset(house, thumbnailKey)).status];
}

describe('kill -9 while a preview is drawn', { timeout: 120_000 }, () => {
  it('of an image: it is drawn after the restart', async () => {
    const large = join(folder, 'large.png');
    await madeByFfmpeg(large, ['-f', 'lavfi', '-i', 'testsrc2=s=7000x4500', '-frames:v', '1']);
    const name = await beginFile('killed.png', await readFile(large), 'image');
    const isAtHand = async () => (await leftovers(house)).some((path) => /source/.test(path));
    await until('its file to be at hand', isAtHand, { everyMs: 2 });
    await house.kill();
    house = await house.restart();

    expect(await previewOf(name)).toEqual(['done', 200]);
    expect(await afterTheSweep(house)).toEqual(nothing);
  });

  it.skipIf(lacks('soffice'))(`of slides, with the service: drawn after the restart${why('soffice')}`, async () => {
    const name = await beginFile('killed.odp', aPresentation(), 'document');
    await running(house, /soffice/);
    await house.kill();
    house = await house.restart();

    expect(await previewOf(name)).toEqual(['done', 200]);
    await until('LibreOffice to end', async () => (await programsOf(house)).length === 0, { timeoutMs: 70_000 });
    expect(await afterTheSweep(house)).toEqual(nothing);
  });

  it.skipIf(lacks('soffice'))(`of slides, by LibreOffice: the item is done all the same${why('soffice')}`, async () => {
    const name = await beginFile('ended.odp', aPresentation(), 'document');
    process.kill((await running(house, /soffice\.bin/)).pid, 'SIGKILL');

    expect((await previewOf(name))[0]).toBe('done');
    expect(await afterTheSweep(house)).toEqual(nothing);
  });
});

describe('a media item that is deleted', { timeout: 120_000 }, () => {
  it.each(['normalize', 'transcode'] as const)('during the step %s leaves nothing, and no program', async (step) => {
    await beginFilm(house, film, `deleted-${step}`);
    const id = await idOf(`deleted-${step}`);
    await running(house, at[step]);
    expect((await send(house, 'DELETE', `/api/media/${id}`)).status).toBe(200);

    await until('its programs to end', async () => (await programsOf(house)).length === 0);
    expect(await afterTheSweep(house)).toEqual(nothing);
    const { data } = (await send(house, 'GET', `/api/media/storage-audit?prefix=acme/deleted-${step}/`)).json;
    expect(data.objectCount).toBe(0);
  });
});
