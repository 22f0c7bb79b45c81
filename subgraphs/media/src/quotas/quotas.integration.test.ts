import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Viewer } from '@foyer/shared/auth/viewer';
import { readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { mediaFixture } from '../testing/media-fixture.ts';
import { editor, HOOK_SECRET, openScratchMedia, operator, type ScratchMedia } from '../testing/scratch-media.ts';

let server: ScratchMedia;
let folder: string;
let file: string;

/** The size of the uploaded file, in bytes. */
const SIZE = 10;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-quota-'));
  file = join(folder, 'ten-bytes');
  await writeFile(file, 'x'.repeat(SIZE));
  server = await openScratchMedia();
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await server.db.uploadToken.deleteMany();
  await server.db.upload.deleteMany();
  await server.db.media.deleteMany();
  await server.db.mediaQuota.deleteMany();
  await server.db.unpurgedMedia.deleteMany();
});

type Answer = Awaited<ReturnType<ScratchMedia['ask']>>;
const reasonOf = ({ errors }: Answer) => errors?.[0]?.extensions['reason'];

const parts = 'items bytes reservedItems reservedBytes quotaItems quotaBytes';
const setQuota = (input: object, viewer: Viewer | null = operator) =>
  server.ask(
    `mutation ($input: SetMediaQuotaInput!) { usage: setMediaQuota(input: $input) { ${parts} } }`,
    { input: { organizationId: 'o1', ...input } },
    viewer,
  );
const resetQuota = (viewer: Viewer | null = operator) =>
  server.ask(`mutation { usage: resetMediaQuota(organizationId: "o1") { ${parts} } }`, {}, viewer);

async function usage(viewer: Viewer | null = editor) {
  const source = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Organization { mediaUsage { ${parts} } } } }`;
  const { data } = await server.ask(source, { of: [{ __typename: 'Organization', id: 'o1' }] }, viewer);
  return (data as unknown as { _entities: [{ mediaUsage: object | null }] })._entities[0].mediaUsage;
}

const prepare = (fileSize = SIZE) =>
  server.prepare({ title: 'x', originalName: 'x', fileName: `${randomUUID()}.bin`, mediaType: 'other', fileSize });
const prepared = (fileSize?: number) =>
  prepare(fileSize).then(
    () => 'prepared',
    (error: { extensions: { reason: string } }) => error.extensions.reason,
  );

const metadata = (token: string) => `uploadToken ${Buffer.from(token).toString('base64')}`;
const create = (token: string) =>
  fetch(`${server.url}/files/`, {
    method: 'POST',
    headers: { 'tus-resumable': '1.0.0', 'upload-length': String(SIZE), 'upload-metadata': metadata(token) },
  });

const hook = async (type: string, upload: object) => {
  const response = await fetch(`${server.url}/hooks/tusd`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`tusd:${HOOK_SECRET}`).toString('base64')}`,
    },
    body: JSON.stringify({ Type: type, Event: { Upload: upload } }),
  });
  return { status: response.status, body: (await response.json()) as object };
};

const addMedia = (fileSize: number) => server.db.media.create({ data: mediaFixture({ fileSize }) });

describe('the quota of an organization', () => {
  it('is set by those who run the platform alone', async () => {
    expect(reasonOf(await setQuota({ items: 1 }, editor))).toBe('FORBIDDEN');
    expect(reasonOf(await resetQuota(null))).toBe('UNAUTHENTICATED');
    for (const bytes of [-1, 0.5, 1e300]) expect(reasonOf(await setQuota({ bytes }))).toBe('VALIDATION_FAILED');

    expect((await setQuota({ items: 3, bytes: 2 ** 50 })).data).toMatchObject({
      usage: { quotaItems: 3, quotaBytes: 2 ** 50 },
    });
    expect((await resetQuota()).data).toMatchObject({ usage: { quotaItems: null, quotaBytes: null } });
  });

  it('stays when that of another one is set or reset', async () => {
    await server.db.mediaQuota.create({ data: { organizationId: 'o2', items: 7 } });

    await setQuota({ items: 3 });
    await resetQuota();

    expect(await server.db.mediaQuota.findMany()).toMatchObject([{ organizationId: 'o2', items: 7 }]);
  });

  it('and its usage are shown to its members who see media, and to the platform', async () => {
    await setQuota({ items: 5 });
    const { id } = await addMedia(7);
    await addMedia(8);
    await prepare();

    const shown = { items: 2, bytes: 15, reservedItems: 1, reservedBytes: SIZE, quotaItems: 5, quotaBytes: null };
    expect(await usage()).toEqual(shown);
    expect(await usage(operator)).toEqual(shown);
    expect(await usage(null)).toBeNull();
    expect(await usage({ kind: 'legacy-client', permissions: ['media:view'] })).toBeNull();

    await server.db.media.update({ where: { id }, data: { fileSize: 1, organizationId: 'o2' } });
    expect(await usage()).toMatchObject({ items: 1, bytes: 8 });
    await server.db.media.deleteMany();
    expect(await usage()).toMatchObject({ items: 0, bytes: 0 });
  });

  it('is refused with its facts', async () => {
    await setQuota({ bytes: 25 });
    await addMedia(20);

    const error: unknown = await prepare().catch((refused: unknown) => refused);

    expect(error).toMatchObject({
      extensions: {
        code: 'PAYLOAD_TOO_LARGE',
        reason: 'MEDIA_QUOTA_EXCEEDED',
        quotaBytes: 25,
        quotaItems: null,
        usedBytes: 20,
        usedItems: 1,
      },
    });
    expect(await prepared(5)).toBe('prepared');
    expect(await prepared(0)).toBe('prepared');
    expect(await prepared(1)).toBe('MEDIA_QUOTA_EXCEEDED');
  });

  it.each([
    ['bytes', { bytes: 4 * SIZE + 3 }],
    ['items', { items: 4 }],
  ])('in %s lets through exactly as many parallel preparations as fit', async (_name, quota) => {
    await setQuota(quota);

    const outcomes = await Promise.all(Array.from({ length: 12 }, () => prepared()));

    expect(outcomes.filter((outcome) => outcome === 'prepared')).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'MEDIA_QUOTA_EXCEEDED')).toHaveLength(8);
  });

  it('lets in exactly as many parallel creations and completions as fit after it was lowered', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => prepare()));
    await setQuota({ items: 3 });

    const created = await Promise.all(tokens.map(async (token) => (await create(token)).status));
    expect([created.filter((status) => status === 201), created.filter((status) => status === 413)]).toEqual([
      Array(3).fill(201),
      Array(5).fill(413),
    ]);

    await setQuota({ items: 2 });
    const uploads = await server.db.upload.findMany();
    const sent = await Promise.all(
      uploads.map(async ({ id }) => {
        const response = await fetch(`${server.url}/files/${id}`, {
          method: 'PATCH',
          headers: {
            'tus-resumable': '1.0.0',
            'upload-offset': '0',
            'content-type': 'application/offset+octet-stream',
          },
          body: 'x'.repeat(SIZE),
        });
        return response.status;
      }),
    );
    expect([sent.filter((status) => status === 204).length, sent.filter((status) => status === 422).length]).toEqual([
      2, 1,
    ]);
    expect(await usage()).toMatchObject({ items: 2, reservedItems: 5 }); // those that did not begin
  });

  it('counts an upload once, from its preparation to the media item', async () => {
    await setQuota({ items: 2, bytes: 2 * SIZE });
    await server.upload(file, await prepare());
    const token = await prepare();
    expect(await usage()).toMatchObject({ items: 1, bytes: SIZE, reservedItems: 1, reservedBytes: SIZE });
    expect(await prepared()).toBe('MEDIA_QUOTA_EXCEEDED');

    await server.upload(file, token);

    expect(await usage()).toMatchObject({ items: 2, bytes: 2 * SIZE, reservedItems: 0, reservedBytes: 0 });
    expect(await prepared()).toBe('MEDIA_QUOTA_EXCEEDED');
  });

  it('has room again when a prepared upload expires, a running one is terminated or swept, and an item is deleted', async () => {
    await setQuota({ items: 1 });
    await prepare();
    expect(await prepared()).toBe('MEDIA_QUOTA_EXCEEDED');
    await server.db.uploadToken.updateMany({ data: { expiresAt: new Date(0) } });

    const second = await create(await prepare());
    expect(await prepared()).toBe('MEDIA_QUOTA_EXCEEDED');
    await server.db.uploadToken.updateMany({ data: { expiresAt: new Date(0) } });
    expect(await prepared()).toBe('MEDIA_QUOTA_EXCEEDED'); // a running upload may outlive its token
    const path = new URL(second.headers.get('location') ?? '', server.url).pathname;
    await fetch(server.url + path, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } });

    await create(await prepare());
    await server.db.upload.deleteMany(); // as the sweep does
    await server.upload(file, await prepare());
    expect(await prepared()).toBe('MEDIA_QUOTA_EXCEEDED');
    await server.db.media.deleteMany();
    expect(await prepared()).toBe('prepared');
  });

  it('has no room for what was deleted without its files', async () => {
    await setQuota({ bytes: 3 * SIZE, items: 10 });
    const [kept, purged] = [await addMedia(SIZE), await addMedia(2 * SIZE)];
    expect(await prepared()).toBe('MEDIA_QUOTA_EXCEEDED');
    const remove = (id: number, purge: boolean) =>
      server.ask('mutation ($id: ID!, $purge: Boolean!) { deleteMedia(id: $id, purge: $purge) { purged } }', {
        id: String(id),
        purge,
      });
    await remove(kept.id, false);
    expect(await usage()).toMatchObject({ items: 1, bytes: 3 * SIZE });
    expect(await prepared()).toBe('MEDIA_QUOTA_EXCEEDED');
    await remove(purged.id, true);
    expect(await usage()).toMatchObject({ items: 0, bytes: SIZE });
    expect(await prepared()).toBe('prepared');
  });

  it('is checked by tusd before an upload is created', async () => {
    const token = await prepare();
    await setQuota({ bytes: SIZE - 1 });
    const upload = { ID: '', Size: SIZE, MetaData: { uploadToken: token } };

    const refused = await hook('pre-create', upload);

    expect(refused).toMatchObject({ status: 200, body: { RejectUpload: true, HTTPResponse: { StatusCode: 413 } } });
    expect(JSON.stringify(refused.body)).toContain('MEDIA_QUOTA_EXCEEDED');
    await setQuota({ bytes: SIZE });
    expect(await hook('pre-create', upload)).toEqual({ status: 200, body: {} });
  });

  it('does not concern legacy uploads, which name no organization', async () => {
    await setQuota({ items: 0 });
    const anyone: Viewer = { kind: 'legacy-client', permissions: ['media:upload'], workspaceId: readId('w1') };
    const described = { title: 'x', mediaType: 'other', mimeType: '', fileSize: 1, originalName: 'x', fileName: 'x' };
    const source = 'mutation ($input: PrepareUploadInput!) { prepareUpload(input: $input) { uploadToken } }';

    expect((await server.ask(source, { input: { ...described, tenant: 'elsewhere' } }, anyone)).errors).toBeUndefined();
    expect(await prepared()).toBe('MEDIA_QUOTA_EXCEEDED');
  });
});

describe('the configured quota', () => {
  it('holds for every organization that has none of its own', async () => {
    const limited = await openScratchMedia({ MEDIA_QUOTA_ITEMS: '1', MEDIA_QUOTA_BYTES: '100' });
    const hash = createHash('sha256').update('x').digest('hex').slice(0, 8);
    const one = (fileSize: number) =>
      limited.prepare({ title: 'x', originalName: 'x', fileName: hash, mediaType: 'other', fileSize });
    const refused = { extensions: { reason: 'MEDIA_QUOTA_EXCEEDED' } };
    try {
      await expect(one(101)).rejects.toMatchObject(refused);
      await one(100);
      await expect(one(0)).rejects.toMatchObject(refused);
      await limited.db.mediaQuota.create({ data: { organizationId: 'o1' } }); // no limits
      await one(1000);
    } finally {
      await limited.stop();
    }
  });
});
