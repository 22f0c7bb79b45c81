// For tests: the use cases and jobs of the library over a real database and a real object store. Instead of ffmpeg and the
// previewer it has functions that write small files: most tests check where files go, not their content.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { buffer } from 'node:stream/consumers';

import { openDatabase } from '@foyer/prisma/client';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { systemClock } from '@foyer/shared/clock';
import { readId } from '@foyer/shared/ids';
import type { Job, Worker } from '@foyer/shared/jobs/job';
import { openLog } from '@foyer/shared/telemetry/log';
import { s3Account, s3Endpoint } from '@foyer/shared/testing/s3';
import type { Viewer } from '@foyer/shared/auth/viewer';

import { diskObjectStore } from '#adapters/object-store/disk.ts';
import { s3ObjectStore } from '#adapters/object-store/s3.ts';
import type { ObjectStore } from '#ports/object-store.ts';
import type { Previewer } from '#ports/previewer.ts';
import type { Transcoder } from '#ports/transcoder.ts';
import type { Context } from '../context.ts';
import type { PrepareUploadInput } from '../generated/graphql.ts';
import { deleteMedia } from '../library/delete-media.ts';
import { openLoaders } from '../media/loaders.ts';
import { seedProfiles } from '../seed/profiles.ts';
import { recordAllObjectsJob } from '../objects/record-all-objects.ts';
import { mediaWorkers } from '../workers.ts';
import { beginUpload } from '../uploads/begin-upload.ts';
import { finishUpload } from '../uploads/finish-upload.ts';
import { prepareUpload } from '../uploads/prepare-upload.ts';
import { playlistsIn } from './playlists-in.ts';

/** A member of the organization `o<number>`, with all permissions in its workspace `w<number>`. */
export const memberOf = (number: number): Viewer => ({
  kind: 'staff',
  userId: readId(`u${number}`),
  idpUserId: `i${number}`,
  organizationId: readId(`o${number}`),
  organizationSlug: `org-${number}`,
  role: 'ORG_ADMIN',
  sessionId: readId('s'),
  tokenId: 't',
  issuedAt: 0,
  expiresAt: 4_000_000_000,
});

const everything = new Set(['media:view', 'media:upload', 'media:manage', 'media:delete']);

export type SmallLibrary = Awaited<ReturnType<typeof openSmallLibrary>>;

/** Opens a store in a new folder of this machine. */
export async function onDisk(folder: string): Promise<ObjectStore> {
  const scratch = join(folder, 'scratch');
  await mkdir(scratch, { recursive: true });
  return diskObjectStore({ folder, bucket: 'media', scratch, presign: (key) => new URL(`http://localhost/${key}`) });
}

/** Opens a store in a new bucket of the S3 server of the tests. */
export async function onS3(_folder: string): Promise<ObjectStore> {
  const at = new URL(s3Endpoint);
  return s3ObjectStore({
    endpoint: at,
    publicEndpoint: at,
    bucket: `bytes-${randomUUID()}`,
    region: 'us-east-1',
    timeoutMs: 15_000,
    ...s3Account,
  });
}

/** What turns files into others. */
interface Programs {
  transcoder?: Transcoder;
  previewer?: Previewer;
}

/** Opens a library. @param openStore opens the store, given a folder of this library alone */
export async function openSmallLibrary(
  openStore: (folder: string) => Promise<ObjectStore>,
  { transcoder = instantTranscoder, previewer = instantPreviewer }: Programs = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-small-'));
  const database = await createTestDatabase();
  const db = openDatabase(database.url);
  const fuse = { changesLeft: Infinity };
  const store = breakable(await openStore(folder), fuse);
  const waiting: { job: Job<never>; data: object }[] = [];
  await mkdir(join(folder, 'work'), { recursive: true });
  const needs = {
    db,
    store,
    clock: systemClock,
    log: openLog('silent'),
    jobs: {
      enqueue: async (job: Job<never>, data: object) => void waiting.push({ job, data }),
      enqueueAll: async (job: Job<never>, all: readonly object[]) =>
        void waiting.push(...all.map((data) => ({ job, data }))),
      prioritize: async () => undefined,
      isWaiting: async (job: Job<never>, data: object) =>
        waiting.some((one) => one.job === job && isDeepStrictEqual(one.data, data)),
      waitingWith: async () => [],
    },
    permissions: {
      onPlatform: async () => new Set(['org:manage']),
      inOrganization: async () => new Set<string>(),
      // Workspace `w1` belongs to organization `o1`.
      inWorkspace: async (viewer: Viewer, workspaceId: string) => {
        const organizationId = `o${workspaceId.slice(1)}`;
        const isOwn = viewer.kind === 'staff' && viewer.organizationId === organizationId;
        return { organizationId, permissions: isOwn ? everything : new Set<string>() };
      },
      workspacesWith: async () => [],
    },
    uploads: {
      keyOf: (id: string) => `uploads/${id}`,
      received: async (id: string) => {
        const found = await store.stat(`uploads/${id}`);
        return found && { bytes: found.size, lastAt: found.modifiedAt };
      },
      flush: async () => undefined,
      discard: (id: string) => store.remove(`uploads/${id}`),
    },
    uploadRules: {
      maxBytes: 1e9,
      tokenMinutes: 10,
      idleSeconds: 60,
      hookSecret: '',
      url: '',
      quota: { bytes: null, items: null },
    },
    processingRules: { targetLoudness: -23, scratch: join(folder, 'work'), beatMs: 60_000 },
    // Copies: a test may replace their functions, and other files share the process.
    transcoder: { ...transcoder },
    previewer: { ...previewer },
    originPollMs: 1e6,
    nodePollMs: 1e6,
  } as unknown as Context;
  const workers = new Map(mediaWorkers(needs).map((worker: Worker) => [worker.job.name, worker]));
  await seedProfiles(needs);

  /** Runs all enqueued jobs, and those that they enqueue. */
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await workers.get(next.job.name)?.run(next.data as never, attempt());
    }
  }
  /** @returns the token of the upload */
  async function prepare(
    viewer: Viewer,
    where: { fileSize: number; [name: string]: string | number },
  ): Promise<string> {
    const workspaceId = viewer.kind === 'staff' ? readId(`w${viewer.organizationId.slice(1)}`) : null;
    const described = { title: 'x', mediaType: 'other', mimeType: 'x/y', originalName: 'x', fileName: 'x' };
    const input: PrepareUploadInput = {
      visibility: 'PUBLIC',
      ...described,
      tenant: 'acme',
      folder: '',
      workspaceId,
      ...where,
    };
    return (await prepareUpload(as(viewer), input)).uploadToken;
  }
  const as = (viewer: Viewer): Context => ({ ...needs, viewer, loaders: openLoaders(db) });

  return {
    db,
    store,
    needs,
    as,
    work,
    /** Uploads a file; returns the id of its media item, which is not processed yet. */
    async upload(viewer: Viewer, bytes: string | Buffer, where: Record<string, string>): Promise<number> {
      const fileSize = Buffer.byteLength(bytes);
      const uploadToken = await prepare(viewer, { ...where, fileSize });
      const id = randomUUID();
      await beginUpload(needs, { id, size: fileSize, metadata: { uploadToken } });
      await store.put(`uploads/${id}`, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
      return (await finishUpload(needs, { id, size: fileSize })) ?? 0;
    },
    /**
     * Runs the enqueued jobs until the store fails before a certain change, as for a process that is killed there. The job
     * that failed is the next one.
     */
    async workAndBreak(changes: number): Promise<void> {
      fuse.changesLeft = changes;
      try {
        for (let next = waiting[0]; next; next = waiting[0]) {
          await workers.get(next.job.name)?.run(next.data as never, { ...attempt(), last: false });
          waiting.shift();
        }
      } catch (error) {
        if (fuse.changesLeft >= 0) throw error;
      } finally {
        fuse.changesLeft = Infinity;
      }
    },
    prepare,
    remove: (viewer: Viewer, id: number, purge = true) => deleteMedia(as(viewer), { id: String(id), purge }),
    /** Runs the migration to the present layout until the store fails. */
    async migrateAndBreak(changes: number): Promise<void> {
      fuse.changesLeft = changes;
      await workers.get(recordAllObjectsJob.name)?.run({} as never, attempt());
      fuse.changesLeft = Infinity;
    },
    /** Removes all media items and all objects. */
    async clear() {
      waiting.splice(0);
      await db.media.deleteMany();
      for (const model of [db.storedObject, db.movedObject, db.mediaTenant] as { deleteMany(): Promise<unknown> }[])
        await model.deleteMany();
      await store.removeAll((await Array.fromAsync(store.list(''))).map(({ key }) => key));
    },
    /** Returns all objects with their content. */
    async everything(): Promise<Map<string, string>> {
      const contents = new Map<string, string>();
      for await (const { key } of store.list('')) {
        const object = await store.open(key);
        if (object) contents.set(key, (await buffer(await object.read())).toString());
      }
      return contents;
    },
    async close() {
      await db.$disconnect();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Wraps a store so that it fails before a certain change, as for a process that is killed there. */
function breakable(store: ObjectStore, fuse: { changesLeft: number }): ObjectStore {
  const counted =
    <Given extends unknown[], Answer>(change: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      if (fuse.changesLeft-- <= 0) throw new Error('killed');
      return change(...given);
    };
  const { put, putFile, copy, move, remove, removeAll } = store;
  return {
    ...store,
    put: counted(put),
    putFile: counted(putFile),
    copy: counted(copy),
    move: counted(move),
    remove: counted(remove),
    removeAll: counted(removeAll),
  };
}

const attempt = () => ({ id: randomUUID(), number: 1, last: true, signal: new AbortController().signal });

const streams = {
  streams: [
    { codec_type: 'video', codec_name: 'h264', width: 640, height: 360, duration: '8', avg_frame_rate: '25/1' },
  ],
  format: { duration: '8' },
};

/** A transcoder whose conversions write their outputs at once; the content of each names its input. */
const instantTranscoder: Transcoder = {
  probe: async () => structuredClone(streams),
  filters: async () => new Set(),
  hasHlsOption: async () => false,
  async convert({ input, after }) {
    const playlists = playlistsIn(after);
    for (const playlist of playlists) {
      await mkdir(dirname(playlist), { recursive: true });
      await writeFile(join(dirname(playlist), 'init.mp4'), `init of ${input}`);
      await writeFile(join(dirname(playlist), 'seg_00000.m4s'), `segment of ${input}`);
      await writeFile(playlist, `#EXTM3U\n# of ${input}\n#EXTINF:4.0,\nseg_00000.m4s\n#EXT-X-ENDLIST\n`);
    }
    const output = after.at(-1) ?? '-';
    if (playlists.length === 0 && output !== '-') await writeFile(output, `made of ${input}`);
    return '';
  },
};

const instantPreviewer: Previewer = {
  async ofImage(file, preview) {
    await writeFile(preview, `preview of ${file}`);
    return { width: 1, height: 1 };
  },
  ofPdf: (file, preview) => writeFile(preview, `preview of ${file}`),
  ofSlides: (file, preview) => writeFile(preview, `preview of ${file}`),
};
