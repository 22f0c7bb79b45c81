import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { madeByFfmpeg } from '@foyer/media/testing/made-by-ffmpeg';
import { validateLadder } from '@foyer/media/testing/validate-ladder';
import { demo } from '@foyer/shared/demo';
import { DetailedError } from 'tus-js-client';

import { ended, profileId } from '../fixtures/media.ts';
import { graphql, logIn, send } from '../fixtures/people.ts';
import { uploading } from '../fixtures/uploads.ts';
import type { Json } from '../json.ts';
import { until } from '../until.ts';
import { leftovers } from './survival.ts';
import type { ServerProcess } from './server-process.ts';

/** An upload that the server has acknowledged. */
interface Acknowledged {
  name: string;
  isFilm: boolean;
  sha256: string;
  deletion: 'none' | 'asked' | 'acknowledged';
}

interface Options {
  folder: string;
  seed: number;
  server: () => ServerProcess;
}

const MOST_UPLOADS = 14;
const MOST_DELETIONS = 4;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Opens a library whose clients upload, move and delete while their server is killed again and again. */
export async function openKilledLibrary({ folder, seed, server }: Options) {
  const random = randomFrom(seed);
  const acknowledged: Acknowledged[] = [];
  // A store of its own lacks the pictures of the demo from the start.
  const lackedBefore = new Set(await audited(server()));
  let { headers } = await logIn(server(), 'orgadmin@acme.test', 'ACME');
  const ladder = await profileId(server(), 'Compact');
  const over = new AbortController();
  let begun = 0;
  let wake = () => {};
  let isUp = new Promise<void>((resolve) => (wake = resolve));

  async function idOf({ name }: Acknowledged): Promise<string | undefined> {
    const { json } = await send(server(), 'GET', `/api/media/?limit=100`, { headers });
    return json.data.find((media: Json) => media.fileName === name)?.id;
  }

  async function upload(): Promise<void> {
    const number = ++begun;
    const isFilm = number % 4 !== 0;
    const name = `${seed}-${number}.${isFilm ? 'mp4' : 'bin'}`;
    const file = join(folder, name);
    if (isFilm) await aFilm(file);
    else await writeFile(file, randomBytes(90_000));
    const bytes = await readFile(file);
    const uploadToken = await prepare(name, { isFilm, size: bytes.length });
    await sendAll(file, { size: bytes.length, uploadToken });
    acknowledged.push({ name, isFilm, sha256: sha256(bytes), deletion: 'none' });
  }

  /** Continues after each death of the server, until the server has acknowledged the last byte. @throws when it refuses */
  async function sendAll(file: string, upload: { size: number; uploadToken: string }): Promise<void> {
    let uploadUrl = '';
    while (!over.signal.aborted) {
      await isUp;
      const sending = uploading(server(), file, { ...upload, ...(uploadUrl && { uploadUrl }) });
      const failure = await sending.done.then(
        () => null,
        (error: Error) => error,
      );
      if (!failure) return;
      uploadUrl ||= await sending.until(0);
      const status = failure instanceof DetailedError ? (failure.originalResponse?.getStatus() ?? 0) : 0;
      if (uploadUrl === '' || (status >= 400 && status < 500 && status !== 423)) throw failure;
      await sleep(50);
    }
    throw new Error('the test is over');
  }

  async function prepare(name: string, { isFilm, size }: { isFilm: boolean; size: number }): Promise<string> {
    const input = {
      workspaceId: demo.acme.workspaceId,
      title: name,
      mediaType: isFilm ? 'video' : 'other',
      mimeType: isFilm ? 'video/mp4' : 'application/octet-stream',
      fileSize: size,
      originalName: name,
      fileName: name,
      tenant: 'acme',
      folder: 'fire',
      visibility: 'PUBLIC',
      ...(isFilm && { transcodingProfileId: String(ladder) }),
    };
    const { data } = await ask(
      'mutation ($input: PrepareUploadInput!) { prepareUpload(input: $input) { uploadToken } }',
      {
        input,
      },
    );
    return data.prepareUpload.uploadToken as string;
  }

  const ask = (query: string, variables: object) => graphql(server(), query, variables, headers);

  async function move(): Promise<void> {
    const id = await idOf(pick());
    const input = { folder: `fire-${Math.floor(random() * 3)}` };
    // Refused while it is processed.
    if (id)
      await ask('mutation ($id: ID!, $input: UpdateMediaInput!) { updateMedia(id: $id, input: $input) { id } }', {
        id,
        input,
      });
  }

  async function remove(): Promise<void> {
    const one = pick();
    const asked = acknowledged.filter(({ deletion }) => deletion !== 'none').length;
    const id = asked < MOST_DELETIONS && (await idOf(one));
    if (!id) return;
    one.deletion = 'asked';
    const { status } = await send(server(), 'DELETE', `/api/media/${id}`, { headers });
    if (status === 200) one.deletion = 'acknowledged';
  }

  const pick = () => acknowledged[Math.floor(random() * acknowledged.length)] ?? never();

  /** One of several clients: what the death of the server interrupts, it gives up, and goes on with something else. */
  async function client(): Promise<void> {
    while (!over.signal.aborted) {
      await isUp;
      const dice = random();
      const act =
        acknowledged.length < 2 || (dice < 0.5 && acknowledged.length < MOST_UPLOADS)
          ? upload
          : dice < 0.85
            ? move
            : remove;
      await act().catch(() => undefined);
      await sleep(50 + 200 * random());
    }
  }
  const clients = [client(), client()];

  async function faultsOf(one: Acknowledged): Promise<string[]> {
    if (one.deletion === 'acknowledged') return (await idOf(one)) ? [`${one.name} was deleted, and is there`] : [];
    // A kill between the last byte and the media item leaves the item to the reconciler, which runs each minute; the client hears
    // from the offset that nothing is left to send.
    const found =
      one.deletion === 'asked'
        ? idOf(one)
        : until('the media item', () => idOf(one), { timeoutMs: 240_000 }).catch(() => undefined);
    const id = await found;
    if (!id) return one.deletion === 'asked' ? [] : [`${one.name} is not there`];
    const media = await ended(server(), Number(id), 240_000);
    const broken =
      media.transcodingStage === 'done'
        ? await brokenParts(server(), media, { ...one, folder: join(folder, `ladder-${id}`) })
        : [`is failed: ${media.failureReason}`];
    return broken.map((what) => `${one.name}: ${what}`);
  }

  return {
    random,
    /** Lets the clients work for a while, and stops them from beginning anything new. */
    async live(ms: number): Promise<void> {
      wake();
      await sleep(ms);
      isUp = new Promise((resolve) => (wake = resolve));
    },
    /** Waits until all work has ended; returns what is lost, broken or left over. */
    async lost(): Promise<string[]> {
      wake();
      await until('enough uploads', async () => acknowledged.length >= MOST_UPLOADS / 2);
      over.abort();
      await Promise.all(clients);
      ({ headers } = await logIn(server(), 'orgadmin@acme.test', 'ACME'));
      const faults: string[] = [];
      for (const one of acknowledged) faults.push(...(await faultsOf(one)));
      return [...faults, ...(await leftOver(server(), lackedBefore))];
    },
    end: async () => {
      over.abort();
      wake();
      await Promise.all(clients);
    },
  };
}

const never = () => {
  throw new Error('nothing was uploaded yet');
};

const aFilm = (file: string) =>
  madeByFfmpeg(
    file,
    '-f lavfi -i testsrc2=s=128x72:r=10:d=1 -f lavfi -i sine=d=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac'.split(
      ' ',
    ),
  );

/** Numbers from 0 to 1, the same for each seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What can't be read, or played, of an item that is done. @param folder for unfinished work, of this item alone */
async function brokenParts(
  server: ServerProcess,
  media: Json,
  { isFilm, sha256: wanted, folder }: Pick<Acknowledged, 'isFilm' | 'sha256'> & { folder: string },
): Promise<string[]> {
  const { manifestKey, smilKey, thumbnailKey } = media;
  const original = await read(server, media.storageKey);
  if (!isFilm) return original && sha256(original) === wanted ? [] : ['its bytes differ'];
  if (!original) return ['its file is not there'];
  if (!manifestKey || !smilKey || !thumbnailKey) return ['has no ladder or no preview'];
  const { variants, faults } = await validateLadder({
    manifestKey,
    smilKey,
    read: (key) => read(server, key),
    folder,
  });
  if (variants.length === 0) faults.push('its ladder is empty');
  if (!(await read(server, thumbnailKey))) faults.push(`${thumbnailKey} is not there`);
  return faults;
}

/** Reads an object, whatever the bucket; null when there is none. A busy S3 server may need several attempts. */
const read = async (server: ServerProcess, key: string): Promise<Buffer | null> => {
  const answer = await until(`an answer for ${key}`, async () => {
    const one = await fetch(new URL(`/assets/${key}`, server.url));
    return one.status < 500 && one;
  });
  return answer.ok ? Buffer.from(await answer.arrayBuffer()) : null;
};

/** Objects without an item, items without an object, and files of unfinished work. */
async function leftOver(server: ServerProcess, lackedBefore: ReadonlySet<string>): Promise<string[]> {
  const audit = async () => (await audited(server)).filter((one) => !lackedBefore.has(one));
  await until('the leftovers to be swept', async () => (await leftovers(server)).length === 0);
  let found = await audit();
  // A deletion that a kill interrupted is finished by a job, a minute later.
  await until('the last purge', async () => (found = await audit()).length === 0).catch(() => undefined);
  return found;
}

async function audited(server: ServerProcess): Promise<string[]> {
  const { data } = (await send(server, 'GET', '/api/media/storage-audit')).json;
  // Uploads that were interrupted wait a day for their client.
  const orphans = data.orphans.map(({ key }: Json) => key).filter((key: string) => !key.startsWith('uploads/'));
  return [
    ...orphans.map((key: string) => `${key} is an orphan`),
    ...data.missing.map((one: Json) => `${JSON.stringify(one)} is missing`),
  ];
}
