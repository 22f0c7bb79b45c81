import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Media, Prisma } from '@foyer/prisma/client';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mediaFixture, processed } from '../testing/media-fixture.ts';
import { editor, openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';

let server: ScratchMedia;

beforeAll(async () => {
  server = await openScratchMedia();
});
afterAll(() => server.stop());

async function add(data: Partial<Prisma.MediaUncheckedCreateInput> = {}): Promise<string> {
  const { id } = await server.db.media.create({ data: mediaFixture({ ...processed, ...data }) });
  return String(id);
}

/** Uploads a text, and waits until it is processed. */
async function stored(text: string): Promise<Media> {
  const file = join(server.folder, 'notes.txt');
  await writeFile(file, text);
  const named = { title: 'x', originalName: 'x', fileName: 'notes.txt', fileSize: text.length };
  const url = await server.upload(file, await server.prepare({ ...named, mediaType: 'text', mimeType: 'text/plain' }));
  const find = () => server.db.media.findUniqueOrThrow({ where: { uploadId: url.split('/').at(-1) ?? '' } });
  await expect.poll(async () => (await find()).transcodingStage).toBe('done');
  return find();
}

interface Outcome {
  id: string;
  refusal: { code: string; reason: string; message: string } | null;
}
const parts = '{ id refusal { code reason message } }';
const sources = {
  delete: `mutation ($mediaIds: [ID!]!) { outcomes: deleteMediaItems(mediaIds: $mediaIds) ${parts} }`,
  process: `mutation ($mediaIds: [ID!]!) { outcomes: processMediaItems(mediaIds: $mediaIds) ${parts} }`,
};

/** The id of each item, and the reason that it was refused for. */
async function outcomesOf(what: keyof typeof sources, mediaIds: string[], viewer: Viewer | null = editor) {
  const { data, errors } = await server.ask(sources[what], { mediaIds }, viewer);
  if (errors) return errors.map(({ extensions }) => extensions['reason']);
  const { outcomes } = data as unknown as { outcomes: Outcome[] };
  return outcomes.map(({ id, refusal }) => (refusal ? `${id} ${refusal.reason}` : `${id} done`));
}

const isThere = async (id: string) => (await server.db.media.count({ where: { id: Number(id) } })) > 0;

describe('a request for many media items', () => {
  it('deletes each one that the viewer may delete, and names the refusal of every other', async () => {
    const [one, other] = [await add(), await add()];
    const hidden = await add({ workspaceId: 'w2' });
    const foreign = await add({ organizationId: 'o9', workspaceId: 'w9' });

    expect(await outcomesOf('delete', [one, hidden, '1999999999', foreign, 'nonsense', other, one])).toEqual([
      `${one} done`,
      `${hidden} MEDIA_NOT_FOUND`,
      '1999999999 MEDIA_NOT_FOUND',
      `${foreign} MEDIA_NOT_FOUND`,
      'nonsense MEDIA_NOT_FOUND',
      `${other} done`,
    ]);
    expect(await Promise.all([one, other, hidden, foreign].map(isThere))).toEqual([false, false, true, true]);
  });

  it('removes the stored files of what it deletes', async () => {
    const key = `t/${randomUUID()}`;
    const { id, storageKey } = await stored('notes');
    const statusOf = async () => (await fetch(`${server.url}/assets/media/${storageKey}`)).status;
    expect(await statusOf()).toBe(200);
    const unrelated = await add({ storageKey: key });

    expect(await outcomesOf('delete', [String(id)])).toEqual([`${id} done`]);

    await expect.poll(statusOf).toBe(404);
    expect(await isThere(unrelated)).toBe(true);
  });

  it('processes each one whose processing has ended', async () => {
    const failed = await add({ transcodingStage: 'failed', failureReason: 'unreadable' });
    const running = await add({ transcodingStage: 'transcode', attemptId: 'somebody', attemptSeenAt: new Date() });
    const hidden = await add({ workspaceId: 'w2', transcodingStage: 'failed', failureReason: 'unreadable' });

    expect(await outcomesOf('process', [failed, running, hidden])).toEqual([
      `${failed} done`,
      `${running} PROCESSING_RUNS`,
      `${hidden} MEDIA_NOT_FOUND`,
    ]);
    const runs = await server.db.media.findMany({ where: { id: { in: [failed, running, hidden].map(Number) } } });
    expect(runs.toSorted((one, two) => one.id - two.id).map(({ run }) => run)).toEqual([2, 1, 1]);
  });

  it('does each item once, however many such requests come at a time', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => add({ mediaType: 'other' })));

    const answers = (await Promise.all([1, 2, 3, 4].map(() => outcomesOf('delete', ids)))).flat();

    for (const id of ids) {
      expect(answers.filter((answer) => answer === `${id} done`)).toHaveLength(1);
      expect(answers.filter((answer) => answer === `${id} MEDIA_NOT_FOUND`)).toHaveLength(3);
    }
  });

  it('is refused as a whole without a viewer, and with too many items', async () => {
    const id = await add();
    const many = Array.from({ length: 101 }, (_, at) => String(1_000_000 + at));
    for (const what of ['delete', 'process'] as const) {
      expect(await outcomesOf(what, [id], null)).toEqual(['UNAUTHENTICATED']);
      expect(await outcomesOf(what, [id, ...many])).toEqual(['VALIDATION_FAILED']);
      expect(await outcomesOf(what, [])).toEqual([]);
      expect(await outcomesOf(what, Array<string>(500).fill('1999999999'))).toEqual(['1999999999 MEDIA_NOT_FOUND']);
    }
    expect(await isThere(id)).toBe(true);
  });
});
