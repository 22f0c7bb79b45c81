import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/json.ts';
import { send } from '../support/fixtures/people.ts';
import { prepareUpload } from '../support/fixtures/uploads.ts';
import { testVideo } from '../support/fixtures/video.ts';
import { processesByRole } from '../support/servers/processes.ts';
import {
  distributed,
  startServerProcess,
  stopServerProcess,
  type ServerProcess,
} from '../support/servers/server-process.ts';
import { createUpload, mediaNamed, patchUpload, tus } from '../support/tus.ts';
import { until } from '../support/until.ts';

const folder = 'full-store';

/**
 * The command that gives a process mounts of its own, where its user may: the store is then a file system of 24 MB in
 * memory, which this test fills.
 */
const ownMounts =
  process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '--mount', '--map-current-user', '--keep-caps'];
const mountStore = 'mount -t tmpfs -o size=24m store "$MEDIA_DIR" && exec "$0" "$@"';
const [program = '', ...options] = ownMounts;
const isPermitted = spawnSync(program, [...options, 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0;

let server: ServerProcess;
/** Where the store is mounted, and a folder beside it. */
let files: string;
let films: string;

beforeAll(async () => {
  if (!isPermitted) return;
  files = await mkdtemp(join(tmpdir(), 'foyer-full-'));
  films = await mkdtemp(join(tmpdir(), 'foyer-films-'));
  const soon = { LOGIN_FLOOR_MS: '50', PROCESSING_BEAT_MS: '200' };
  server = await startServerProcess({ MEDIA_DIR: files, ...soon }, undefined, [...ownMounts, 'sh', '-c', mountStore]);
});
afterAll(async () => {
  await stopServerProcess(server);
  for (const each of [files, films]) if (each) await rm(each, { recursive: true, force: true });
});

/** A path inside the store, as the server sees it. */
const inStore = (name: string) => `/proc/${server.pid}/root${join(files, name)}`;

/** Takes all space that is left. */
const fill = (): unknown => spawnSync('dd', ['if=/dev/zero', `of=${inStore('filler')}`, 'bs=4k'], { stdio: 'ignore' });
const free = () => rm(inStore('filler'), { force: true });
afterEach(() => (server ? free() : undefined));

/** Changes the mount of the store. */
function remount(as: 'ro' | 'rw'): void {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--preserve-credentials'];
  const inside = ['--target', String(server.pid), '--mount', ...user];
  const { status } = spawnSync('nsenter', [...inside, 'mount', '-o', `remount,${as}`, files]);
  expect(status).toBe(0);
}

/** Where operators look: at the server or, of many processes, at those that write into the store. */
async function addresses(): Promise<string[]> {
  if (!distributed) return [server.url];
  const [gateway] = (await processesByRole(server)).get('gateway') ?? [];
  const variables = (await readFile(`/proc/${gateway}/environ`, 'utf8')).split('\0');
  return variables.flatMap((variable) => /^(?:MEDIA_URL|UPLOAD_SERVER_URL)=(.+)/.exec(variable)?.[1] ?? []);
}

/** Whether each of them is ready, and what the server says of the store. */
async function readiness() {
  const statuses = [];
  for (const url of await addresses()) statuses.push((await send({ url }, 'GET', '/health/ready')).status);
  const { checks } = (await send(server, 'GET', '/health/ready')).json;
  return { statuses, store: distributed ? checks.media : checks.store };
}

const untilReadiness = (ready: boolean) =>
  until(`the server to be ${ready ? 'ready' : 'unready'}`, async () => {
    const { statuses, store } = await readiness();
    return store === ready && statuses.every((status) => status === (ready ? 200 : 503));
  });

const itemNamed = async (fileName: string): Promise<Json> => {
  const { json } = await send(server, 'GET', `/api/media/?folder=${folder}&limit=100`);
  return json.data.find((media: Json) => media.fileName === fileName);
};

describe('a server whose disk is full', () => {
  it('answers 507 to uploads and is not ready, keeps what it has, and continues when there is space', async (context) => {
    if (!isPermitted) context.skip('this user may not mount a file system');
    await expect.poll(readiness).toEqual({ statuses: distributed ? [200, 200] : [200], store: true });
    const bytes = Buffer.alloc(2_000_000, 'a');
    const token = await prepareUpload(server, { size: bytes.length, fileName: 'large', folder, mediaType: 'other' });
    const location = (await createUpload(server, { token, size: bytes.length })).headers.get('location') ?? '';
    const first = { offset: 0, body: bytes.subarray(0, 500_000) };
    expect((await patchUpload(server, location, first)).status).toBe(204);
    const waiting = await prepareUpload(server, { size: 1, fileName: 'waiting', folder, mediaType: 'other' });
    fill();

    const rest = async (offset: number) => patchUpload(server, location, { offset, body: bytes.subarray(offset) });
    const refused = await rest(500_000);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([507, '10']);
    expect(await refused.json()).toMatchObject({ success: false, code: 'STORE_FULL' });
    // What was written before the disk was full is kept.
    const kept = Number((await tus(server, 'HEAD', location)).headers.get('upload-offset'));
    const checked = {
      offset: kept,
      body: bytes.subarray(kept),
      headers: { 'upload-checksum': `sha1 ${'A'.repeat(27)}=` },
    };
    expect((await patchUpload(server, location, checked)).status).toBe(507);
    await untilReadiness(false);
    expect((await send(server, 'GET', '/health/live')).status).toBe(200);
    expect((await tus(server, 'HEAD', location)).status).toBe(200);
    expect((await createUpload(server, { token: waiting, size: 1 })).status).toBeOneOf([201, 507]);

    await free();
    await untilReadiness(true);
    const offset = Number((await tus(server, 'HEAD', location)).headers.get('upload-offset'));
    expect((await rest(offset)).status).toBe(204);
    const { assetUrl } = await mediaNamed(server, folder, 'large');
    expect(Buffer.from(await (await fetch(assetUrl)).arrayBuffer()).equals(bytes)).toBe(true);
    expect(server.printed()).not.toMatch(/"level":50/);
  });

  it('lets processing wait, and finishes it when there is space', async (context) => {
    if (!isPermitted) context.skip('this user may not mount a file system');
    const film = await readFile(await testVideo(films, { seconds: 2 }));
    const token = await prepareUpload(server, { size: film.length, fileName: 'film.mp4', folder });
    const location = (await createUpload(server, { token, size: film.length })).headers.get('location') ?? '';
    const most = film.length - 1;
    expect((await patchUpload(server, location, { offset: 0, body: film.subarray(0, most) })).status).toBe(204);
    fill();
    // The last byte needs no new block, and moving a file needs none either; normalizing does.
    expect((await patchUpload(server, location, { offset: most, body: film.subarray(most) })).status).toBe(204);
    await until('processing to wait', async () => server.printed().includes('processing waits for the store'));
    expect(await itemNamed('film.mp4')).toMatchObject({ status: 'ready', transcodingStage: 'queued' });

    await free();
    const media = await mediaNamed(server, folder, 'film.mp4');
    expect(media).toMatchObject({ transcodingStage: 'done', failureReason: null });
    expect(media.NormalizedKey ?? media.normalizedKey).toBeTruthy();
    expect(server.printed()).not.toMatch(/"level":50/);
  });
});

describe('a server whose disk is read-only', () => {
  it('answers 503 to uploads and is not ready, and continues when it can write', async (context) => {
    if (!isPermitted) context.skip('this user may not mount a file system');
    const token = await prepareUpload(server, { size: 5, fileName: 'later', folder, mediaType: 'other' });
    const location = (await createUpload(server, { token, size: 5 })).headers.get('location') ?? '';
    const patch = () => patchUpload(server, location, { offset: 0, body: 'hello' });
    remount('ro');

    const refused = await patch();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await refused.json()).toMatchObject({ code: 'STORE_READ_ONLY' });
    await untilReadiness(false);

    remount('rw');
    await untilReadiness(true);
    expect((await patch()).status).toBe(204);
    expect(await mediaNamed(server, folder, 'later')).toMatchObject({ status: 'ready' });
  });
});
