import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { MediaDatabase } from '@foyer/prisma/media';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Listener } from '@foyer/shared/events/events';
import { readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { madeByFfmpeg } from '../testing/made-by-ffmpeg.ts';
import { mediaFixture, processed } from '../testing/media-fixture.ts';
import { editor, openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';
import { subscribeToLibrary, type MediaChange } from './subscribe-to-media.ts';

const SHOWN = `title folder storageKey thumbnailKey manifestKey visibility priority progress transcodingStage cancelled
  failureReason transcodingProfile { id } poster { state } normalization { outcome } warnings { code }`;
const LIBRARY = `subscription { mediaChanged(workspaceId: "w1") { mediaId media { ${SHOWN} } } }`;
const PROGRESS = `subscription ($id: ID!) { mediaProgress(mediaId: $id) { ${SHOWN} } }`;

/** Fields of the media item. */
type Shown = Record<string, unknown>;
const waiting = { timeout: 60_000, interval: 50 };

let server: ScratchMedia;
let folder: string;
let id: string;
let ladders: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-watching-'));
  server = await openScratchMedia({ PROCESSING_BEAT_MS: '100' });
  const profiles = await server.db.transcodingProfile.findMany({ where: { renditions: { some: {} } } });
  ladders = profiles.map((profile) => String(profile.id));
  const film = join(folder, 'film.mp4');
  await madeByFfmpeg(film, '-f lavfi -i testsrc2=s=64x36:r=5:d=2 -c:v libx264 -pix_fmt yuv420p'.split(' '));
  const names = { title: 'Film', originalName: 'film.mp4', fileName: 'film.mp4', fileSize: (await stat(film)).size };
  await server.upload(film, await server.prepare(names));
  id = String((await server.db.media.findFirstOrThrow({ where: { fileName: 'film.mp4' } })).id);
  await vi.waitUntil(async () => (await stageOf()) === 'done', waiting);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const stageOf = async () =>
  (await server.db.media.findUniqueOrThrow({ where: { id: Number(id) } })).transcodingStage as string;

const mutation = (field: string) => `mutation ($id: ID!) { ${field} { id } }`;

describe('whoever watches a library', () => {
  it.each<[string, string, () => Shown]>([
    ['a title', 'updateMedia(id: $id, input: { title: "News" })', () => ({ title: 'News' })],
    ['who may play it', 'setMediaVisibility(id: $id, visibility: PRIVATE)', () => ({ visibility: 'PRIVATE' })],
    ['a priority', 'setMediaPriority(id: $id, priority: HIGH)', () => ({ priority: 'HIGH' })],
    [
      'a chosen preview',
      'setMediaPoster(id: $id, input: { atSeconds: 1 })',
      () => ({ poster: { state: 'drawn' }, thumbnailKey: expect.stringContaining('.posters/') }),
    ],
    ['the return to the automatic one', 'removeMediaPoster(id: $id)', () => ({ poster: null })],
    [
      'another folder',
      'updateMedia(id: $id, input: { folder: "moved" })',
      () => ({
        folder: 'moved',
        storageKey: expect.stringMatching(/^acme\/moved\//),
        transcodingStage: 'done',
      }),
    ],
    [
      'a ladder',
      'updateMedia(id: $id, input: { transcodingProfileId: "LADDER" })',
      () => ({
        transcodingProfile: { id: ladders[0] },
        manifestKey: expect.any(String),
        transcodingStage: 'done',
        progress: 100,
      }),
    ],
    ['a cancellation', 'processMedia(id: $id) { id } cancelProcessing(id: $id)', () => ({ cancelled: true })],
  ])('sees %s', async (_, field, becomes) => {
    const { heard, leave } = await server.watch(LIBRARY, {});
    const { errors } = await server.ask(mutation(field.replace('LADDER', ladders[0] ?? '')), { id });
    expect(errors).toBeUndefined();
    const reported = () =>
      heard
        .map(({ mediaChanged }) => mediaChanged as { mediaId: string; media: Shown } | null)
        .filter((change) => change?.mediaId === id)
        .map((change) => change?.media);
    await vi.waitFor(() => expect(reported()).toContainEqual(expect.objectContaining(becomes())), waiting);
    await leave();
    await vi.waitUntil(async () => ['done', 'failed'].includes(await stageOf()), waiting);
  });

  it('hears nothing of signs of life', async () => {
    const { heard, leave } = await server.watch(LIBRARY, {});
    const heardOf = (item: { id: number }) =>
      heard.filter(({ mediaChanged }) => mediaId(mediaChanged) === String(item.id));
    // Events come in order: whoever hears of a new item has heard everything before.
    const hearUntilNow = async () => {
      const marker = await add();
      await vi.waitUntil(() => heardOf(marker).length > 0, waiting);
    };
    const item = await add();
    await hearUntilNow();
    const before = heardOf(item).length;
    const update = (data: object) => server.db.media.update({ where: { id: item.id }, data });
    await update({ attemptSeenAt: new Date(), tries: 3, queuePlace: 7 });
    await hearUntilNow();
    expect(heardOf(item)).toHaveLength(before);
    await update({ title: 'News' });
    await hearUntilNow();
    expect(heardOf(item)).toHaveLength(before + 1);
    await leave();
  });
});

describe('the events of a library', () => {
  /** Watches it with a database that may fail, and with the events that the test tells. */
  async function library() {
    const database = { isAway: false };
    const findMany: typeof server.db.media.findMany = (args) => {
      if (!database.isAway) return server.db.media.findMany(args);
      database.isAway = false;
      throw Object.assign(new Error('no connection'), { code: 'P2024' });
    };
    let listener: Listener = () => undefined;
    const ending = new AbortController();
    const changes = await subscribeToLibrary(
      {
        viewer: editor,
        permissions: { inWorkspace: async () => mayView } as unknown as Permissions,
        db: { media: { findMany } } as unknown as MediaDatabase,
        events: {
          subscribe(_channel, told) {
            listener = told;
            return () => undefined;
          },
          stop: async () => undefined,
        },
        signal: ending.signal,
      },
      readId('w1'),
    );
    const next = async () => (await changes.next()).value as MediaChange | null;
    return { database, next, tell: (payload: string | null) => listener(payload), leave: () => ending.abort() };
  }
  const mayView = { organizationId: 'o1', permissions: new Set(['media:view']) };

  it('begin with null, and have it again where some may be missing: the list is to be read', async () => {
    const { next, tell, leave } = await library();
    expect(await next()).toBeNull();
    tell(null);
    expect(await next()).toBeNull();
    leave();
  });

  it('wait for a database that is away, and none is lost', async () => {
    const { database, next, tell, leave } = await library();
    await next();
    const item = await add();

    database.isAway = true;
    tell(`${item.id}/w1`);
    expect(await next()).toMatchObject({ mediaId: item.id });
    database.isAway = true;
    tell(null);
    expect(await next()).toBeNull();
    leave();
  });
});

const mediaId = (change: unknown) => (change as { mediaId: string } | null)?.mediaId;

/** Adds an item that nobody processes. */
const add = () => server.db.media.create({ data: mediaFixture(processed) });

describe('whoever watches the progress of one item', () => {
  it('sees that it is cancelled, and its end', async () => {
    const row = { where: { id: Number(id) } };
    await server.db.media.update({
      ...row,
      data: { transcodingStage: 'transcode', failureReason: null, cancelledRun: null, attemptId: 'another process' },
    });
    await server.db.media.update({ ...row, data: { attemptSeenAt: new Date() } });
    const { heard, leave } = await server.watch(PROGRESS, { id });
    const last = () => heard.map(({ mediaProgress }) => mediaProgress as Shown).at(-1);
    await vi.waitFor(() => expect(last()).toMatchObject({ transcodingStage: 'transcode', cancelled: false }), waiting);
    expect((await server.ask(mutation('cancelProcessing(id: $id)'), { id })).errors).toBeUndefined();
    await vi.waitFor(() => expect(last()).toMatchObject({ cancelled: true }), waiting);
    await leave();
  });
});
