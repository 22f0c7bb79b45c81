import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { lacks, why } from '@foyer/shared/testing/missing';
import { madeByFfmpeg } from '@foyer/media/testing/made-by-ffmpeg';
import { aPresentation } from '@foyer/media/testing/zip';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { asset, ended, rowOf, uploadOnly } from '../support/fixtures/media.ts';
import { send } from '../support/fixtures/people.ts';
import {
  afterTheSweep,
  at,
  beginFilm,
  lacking,
  leftovers,
  metIn,
  nothing,
  openSurvival,
  programsOf,
  killProgram,
  running,
  signal,
  type Survival,
} from '../support/servers/survival.ts';
import { until } from '../support/until.ts';

let own: Survival;

beforeAll(async () => {
  own = await openSurvival();
});
afterAll(() => own?.close());

describe('kill -9 of ffmpeg', () => {
  it.each(['normalize', 'probe', 'thumbnail', 'transcode'] as const)(
    'during the step %s: another attempt completes it',
    async (step) => {
      const { where } = await metIn(own.server, own.film, step, (pid) => signal(pid, 'SIGKILL'));

      expect(await lacking(own.server, await own.idOf(where))).toEqual([]);
      expect(await afterTheSweep(own.server)).toEqual(nothing);
    },
  );
});

async function beginFile(name: string, content: Uint8Array, mediaType: string): Promise<string> {
  const file = join(own.folder, name);
  await writeFile(file, content);
  await uploadOnly(own.server, file, {
    folder: name.replace('.', '-'),
    mediaType,
    mimeType: 'application/octet-stream',
  });
  return name;
}

/** Waits for its end, and returns the answer for its preview. */
async function previewOf(name: string) {
  const { id } = await rowOf(own.server, name, name.replace('.', '-'));
  const { transcodingStage, thumbnailKey } = await ended(own.server, id);
  return [transcodingStage, thumbnailKey && (await asset(own.server, thumbnailKey)).status];
}

describe('kill -9 while a preview is drawn', () => {
  it('of an image: it is drawn after the restart', async () => {
    const large = join(own.folder, 'large.png');
    await madeByFfmpeg(large, ['-f', 'lavfi', '-i', 'testsrc2=s=7000x4500', '-frames:v', '1']);
    const name = await beginFile('killed.png', await readFile(large), 'image');
    const isAtHand = async () => (await leftovers(own.server)).some((path) => /source/.test(path));
    await until('its file to be at hand', isAtHand, { everyMs: 2 });
    await own.server.kill();
    own.server = await own.server.restart();

    expect(await previewOf(name)).toEqual(['done', 200]);
    expect(await afterTheSweep(own.server)).toEqual(nothing);
  });

  it.skipIf(lacks('soffice'))(`of slides, with the service: drawn after the restart${why('soffice')}`, async () => {
    const name = await beginFile('killed.odp', aPresentation(), 'document');
    await running(own.server, /soffice/);
    await own.server.kill();
    own.server = await own.server.restart();

    expect(await previewOf(name)).toEqual(['done', 200]);
    await until('LibreOffice to end', async () => (await programsOf(own.server)).length === 0, { timeoutMs: 70_000 });
    expect(await afterTheSweep(own.server)).toEqual(nothing);
  });

  it.skipIf(lacks('soffice'))(`of slides, by LibreOffice: the item is done all the same${why('soffice')}`, async () => {
    const name = await beginFile('ended.odp', aPresentation(), 'document');
    await killProgram(own.server, /soffice\.bin/);

    expect((await previewOf(name))[0]).toBe('done');
    expect(await afterTheSweep(own.server)).toEqual(nothing);
  });
});

describe('a media item that is deleted', () => {
  it.each(['normalize', 'transcode'] as const)('during the step %s leaves nothing, and no program', async (step) => {
    await beginFilm(own.server, own.film, `deleted-${step}`);
    const id = await own.idOf(`deleted-${step}`);
    await running(own.server, at[step]);
    expect((await send(own.server, 'DELETE', `/api/media/${id}`)).status).toBe(200);

    await until('its programs to end', async () => (await programsOf(own.server)).length === 0);
    expect(await afterTheSweep(own.server)).toEqual(nothing);
    const { data } = (await send(own.server, 'GET', `/api/media/storage-audit?prefix=acme/deleted-${step}/`)).json;
    expect(data.objectCount).toBe(0);
  });
});
