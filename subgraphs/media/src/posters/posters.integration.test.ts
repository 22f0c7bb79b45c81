import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeStores } from '@foyer/shared/testing/s3';
import { Refusal } from '@foyer/shared/errors';
import { readId } from '@foyer/shared/ids';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { auditStorage } from '../library/audit-storage.ts';
import { updateMedia } from '../library/update-media.ts';
import { retryMedia } from '../processing/retry-media.ts';
import { memberOf, onDisk, onS3, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';
import { packaged } from '../testing/own-tools.ts';
import { openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';
import { posterKey } from '../storage/media-keys.ts';
import { drawPoster } from './draw-poster.ts';
import { removeMediaPoster } from './remove-poster.ts';
import { removeUnnamedPosters } from './remove-unnamed-posters.ts';
import { setMediaPoster } from './set-poster.ts';

const places = [
  { where: 'a disk', openStore: onDisk },
  { where: 'an S3 server', isS3: true, openStore: onS3 },
];
const viewer = memberOf(1);

describeStores('a chosen preview, on', places, ({ openStore }) => {
  let library: SmallLibrary;
  beforeAll(async () => {
    library = await openSmallLibrary(openStore);
  });
  beforeEach(() => library.clear());
  afterAll(() => library.close());

  const rowOf = (id: number) => library.db.media.findUniqueOrThrow({ where: { id } });
  const choose = (id: number, { atSeconds, image }: { atSeconds?: number; image?: number }, as = viewer) =>
    setMediaPoster(library.as(as), {
      id: String(id),
      input: {
        ...(atSeconds !== undefined && { atSeconds }),
        ...(image !== undefined && { imageId: readId(String(image)) }),
      },
    });
  const reasonOf = (error: unknown) => (error instanceof Refusal ? error.reason : error);
  const posters = async () => [...(await library.everything()).keys()].filter((key) => key.includes('/.posters/'));

  async function uploaded(mediaType: string, fileName: string, as = viewer): Promise<number> {
    const id = await library.upload(as, `bytes of ${fileName}`, {
      mediaType,
      fileName,
      tenant: as === viewer ? 'acme' : 'other',
    });
    await library.work();
    return id;
  }
  async function aFilmWithPoster(): Promise<{ film: number; image: number }> {
    const [film, image] = [await uploaded('video', 'film.mp4'), await uploaded('image', 'poster.png')];
    await choose(film, { image });
    await library.work();
    return { film, image };
  }

  it('is what clients see, made of an image or of a moment', async () => {
    const { film, image } = await aFilmWithPoster();
    const { posterKey, thumbnailKey } = await rowOf(film);
    const all = await library.everything();
    expect(all.get(posterKey ?? '')).toBe(all.get((await rowOf(image)).thumbnailKey ?? ''));

    const shown = await choose(film, { atSeconds: 2.5 });
    expect(shown.thumbnailKey).toBe(posterKey); // until the next one is drawn
    await library.work();
    const next = await rowOf(film);
    expect(next).toMatchObject({ posterRequest: null, posterFailure: null, thumbnailKey });
    expect(await posters()).toEqual([next.posterKey]);
    expect(next.posterKey).not.toBe(posterKey);
  });

  it('outlasts processing and moves, and goes with its item', async () => {
    const { film } = await aFilmWithPoster();
    const { posterKey } = await rowOf(film);
    await retryMedia(library.needs, film);
    await library.work();
    await updateMedia(library.as(viewer), { id: String(film), input: { folder: 'moved' } });
    await library.work();
    expect(await rowOf(film)).toMatchObject({ posterKey, transcodingStage: 'done' });
    expect(await posters()).toEqual([posterKey]);
    expect(await auditStorage(library.as(viewer), { limit: 100 })).toMatchObject({ orphanCount: 0, missingCount: 0 });

    await library.remove(viewer, film);
    await library.work();
    expect(await posters()).toEqual([]);
  });

  it('gives way to the automatic one when it is removed', async () => {
    const { film } = await aFilmWithPoster();
    const { thumbnailKey } = await rowOf(film);
    expect(await removeMediaPoster(library.as(viewer), { id: String(film) })).toMatchObject({ thumbnailKey });
    expect(await removeMediaPoster(library.as(viewer), { id: String(film) })).toMatchObject({ thumbnailKey });
    expect(await posters()).toEqual([]);
  });

  it('is the latest of several choices', async () => {
    const { film, image } = await aFilmWithPoster();
    await Promise.all([choose(film, { atSeconds: 1 }), choose(film, { image }), choose(film, { atSeconds: 3 })]);
    const { posterRequest } = await rowOf(film);
    await library.work();
    expect(await rowOf(film)).toMatchObject({ posterKey: posterRequest, posterRequest: null });
    expect(await posters()).toEqual([posterRequest]);
  });

  it('is drawn in the end, wherever the process is killed, and leaves nothing else', async () => {
    for (const changes of [0, 1]) {
      const { film } = await aFilmWithPoster();
      const { posterKey: before } = await rowOf(film);
      await choose(film, { atSeconds: 1 });
      await library.workAndBreak(changes);
      expect(await posters()).toContain((await rowOf(film)).posterKey);
      await library.work();
      const { posterKey } = await rowOf(film);
      expect(posterKey).not.toBe(before);
      expect(await posters()).toEqual([posterKey]);
      await library.clear();
    }
  });

  it('waits as long as the store can not be used, in the last attempt too', async () => {
    const { film } = await aFilmWithPoster();
    const { putFile } = library.store;
    let left = 12; // more than a job has attempts
    library.store.putFile = async (...given) => {
      if (left-- > 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return putFile(...given);
    };
    const { posterRequest } = await choose(film, { atSeconds: 1 }).then(() => rowOf(film));
    await library.work();
    library.store.putFile = putFile;

    expect(left).toBeLessThan(0);
    expect(await rowOf(film)).toMatchObject({ posterKey: posterRequest, posterRequest: null, posterFailure: null });
    expect(await posters()).toEqual([posterRequest]);
  });

  it('is drawn in the end, when a process stops in the last attempt', async () => {
    const { film } = await aFilmWithPoster();
    const key = posterKey(await rowOf(film), randomUUID());
    await library.db.media.update({ where: { id: film }, data: { posterRequest: key } });
    const data = { mediaId: film, key, choice: { atSeconds: 1 } };
    const stopped = { id: 'stopped', number: 9, last: true, signal: AbortSignal.abort() };
    await drawPoster(library.needs, data, stopped).catch(() => undefined);
    expect(await rowOf(film)).toMatchObject({ posterRequest: key, posterFailure: null });

    await library.work();
    expect(await rowOf(film)).toMatchObject({ posterKey: key, posterRequest: null, posterFailure: null });
  });

  it('leaves nothing when it is drawn too late: it was removed, or its item was deleted', async () => {
    for (const end of [
      (film: number) => removeMediaPoster(library.as(viewer), { id: String(film) }),
      (film: number) => library.remove(viewer, film),
    ]) {
      const { film } = await aFilmWithPoster();
      await choose(film, { atSeconds: 1 });
      const { store } = library.needs;
      const { putFile } = store;
      store.putFile = async (key, file) => {
        if (key.includes('/.posters/')) await end(film);
        return putFile(key, file);
      };
      await library.work();
      store.putFile = putFile;
      expect(await posters()).toEqual([]);
      await library.clear();
    }
  });

  it('is not taken for a leftover of an earlier choice while it is being drawn', async () => {
    const { film } = await aFilmWithPoster();
    await choose(film, { atSeconds: 1 });
    const { store } = library.needs;
    const { putFile } = store;
    store.putFile = async (key, file) => {
      const stored = await putFile(key, file);
      await removeUnnamedPosters(library.needs, { mediaId: film, key: null }); // of a job that ends late
      return stored;
    };
    await library.work();
    store.putFile = putFile;
    expect(await posters()).toEqual([(await rowOf(film)).posterKey]);
  });

  it('says why it can not be drawn, and the one before it stays', async () => {
    const { film, image } = await aFilmWithPoster();
    const { posterKey } = await rowOf(film);
    await choose(film, { image });
    await library.remove(viewer, image);
    await library.work();
    expect(await rowOf(film)).toMatchObject({ posterKey, posterRequest: null, posterFailure: 'The image is gone.' });
    expect(await posters()).toEqual([posterKey]);
  });

  it('refuses what is no moment and no image of this workspace', async () => {
    const [film, image] = [await uploaded('video', 'film.mp4'), await uploaded('image', 'poster.png')];
    const foreign = await uploaded('image', 'foreign.png', memberOf(2));
    const text = await uploaded('other', 'notes.txt');
    const asked = [
      choose(film, {}),
      choose(film, { atSeconds: 1, image }),
      choose(film, { atSeconds: -1 }),
      choose(film, { atSeconds: 8 }),
      choose(film, { atSeconds: Infinity }),
      choose(image, { atSeconds: 0 }),
      choose(film, { image: foreign }),
      choose(film, { image: 2_000_000_000 }),
    ];
    const reasons = await Promise.all(asked.map((each) => each.catch(reasonOf)));
    expect(reasons).toEqual(asked.map(() => 'VALIDATION_FAILED'));
    await expect(choose(film, { atSeconds: 1 }, memberOf(2)).catch(reasonOf)).resolves.toBe('MEDIA_NOT_FOUND');

    await library.db.media.update({ where: { id: image }, data: { thumbnailKey: null } });
    for (const unfit of [image, text])
      await expect(choose(film, { image: unfit }).catch(reasonOf)).resolves.toBe('IMAGE_WITHOUT_PREVIEW');
    expect(await rowOf(film)).toMatchObject({ posterRequest: null, posterKey: null });
  });
});

describe('a preview of a moment', () => {
  let server: ScratchMedia;
  let files: string;
  beforeAll(async () => {
    files = await mkdtemp(join(tmpdir(), 'foyer-poster-'));
    server = await openScratchMedia();
  });
  afterAll(async () => {
    await server.stop();
    await rm(files, { recursive: true, force: true });
  });

  it('shows the video at that moment', async () => {
    const file = join(files, 'film.mp4');
    const { ffmpeg } = await packaged();
    const red = ['-f', 'lavfi', '-i', 'color=red:s=160x90:r=10:d=2'];
    const blue = ['-f', 'lavfi', '-i', 'color=blue:s=160x90:r=10:d=2'];
    const joined = ['-filter_complex', '[0:v][1:v]concat', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
    execFileSync(ffmpeg, ['-v', 'error', '-y', ...red, ...blue, ...joined, file]);
    const fileSize = (await stat(file)).size;
    const names = { title: 'Film', originalName: 'film.mp4', fileName: 'film.mp4' };
    const url = await server.upload(file, await server.prepare({ ...names, fileSize }));
    const row = { uploadId: url.split('/').at(-1) ?? '' };
    const { id } = await server.db.media.findUniqueOrThrow({ where: row });
    await expect.poll(async () => (await server.db.media.findUnique({ where: row }))?.transcodingStage).toBe('done');
    expect(await colorOf(id)).toBe('red');

    const { data, errors } = await server.ask(
      `mutation ($id: ID!) { setMediaPoster(id: $id, input: { atSeconds: 3 }) { poster { state failureReason } } }`,
      { id: String(id) },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ setMediaPoster: { poster: { state: 'drawing', failureReason: null } } });
    await expect.poll(() => posterOf(id)).toMatchObject({ poster: { state: 'drawn' } });
    expect(await colorOf(id)).toBe('blue');
  });

  const posterOf = async (id: number) =>
    (await server.ask('query ($id: ID!) { media(id: $id) { thumbnailKey poster { state } } }', { id: String(id) }))
      .data?.['media'] as { thumbnailKey: string; poster: { state: string } | null };

  async function colorOf(id: number): Promise<string> {
    const response = await fetch(`${server.url}/assets/${(await posterOf(id)).thumbnailKey}`);
    const { channels } = await sharp(Buffer.from(await response.arrayBuffer())).stats();
    const [red = 0, , blue = 0] = channels.map(({ mean }) => mean);
    return red > blue ? 'red' : 'blue';
  }
});
