import { demo } from '@foyer/shared/demo';
import { readId } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { editor, openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';

let server: ScratchMedia;

const row = {
  mediaType: 'image',
  mimeType: 'image/png',
  fileSize: 1,
  originalName: 'x',
  visibility: 'PUBLIC',
  status: 'ready',
  transcodingStage: 'done',
} as const;

beforeAll(async () => {
  server = await openScratchMedia({}, { demo: true });
  for (const [workspaceId, number] of [
    ['w1', 1],
    ['w1', 2],
    ['w2', 3],
  ] as const) {
    const fileName = `${number}.png`;
    await server.db.media.create({
      data: {
        ...row,
        organizationId: 'o1',
        workspaceId,
        title: `Picture ${number}`,
        fileName,
        tenant: 't',
        folder: 'f',
        storageKey: `t/f/${fileName}`,
      },
    });
  }
});
afterAll(() => server.stop());

const reasonOf = (answer: Awaited<ReturnType<ScratchMedia['ask']>>) => answer.errors?.[0]?.extensions['reason'];

const list = (viewer: Viewer | null, filter: object, page = {}) =>
  server.ask(
    'query ($filter: MediaFilter, $first: Int, $after: String) { mediaList(filter: $filter, first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } edges { node { title } } } }',
    { filter, ...page },
    viewer,
  );

const entity = (id: string, viewer: Viewer | null) =>
  server.ask(
    'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Media { id status storageKey assetUrl shareUrl thumbnailUrl title workspace { id } } } }',
    { of: [{ __typename: 'Media', id }] },
    viewer,
  );

describe('the library', () => {
  it('shows a workspace page by page, newest first', async () => {
    const first = (await list(editor, { workspaceId: 'w1' }, { first: 1 })).data as never as {
      mediaList: { pageInfo: { endCursor: string } };
    };
    const second = await list(editor, { workspaceId: 'w1' }, { first: 1, after: first.mediaList.pageInfo.endCursor });

    expect(first).toMatchObject({
      mediaList: { totalCount: 2, pageInfo: { hasNextPage: true }, edges: [{ node: { title: 'Picture 2' } }] },
    });
    expect(second.data).toMatchObject({
      mediaList: { pageInfo: { hasNextPage: false }, edges: [{ node: { title: 'Picture 1' } }] },
    });
  });

  it('shows nothing without a permission', async () => {
    expect(reasonOf(await list(null, { workspaceId: 'w1' }))).toBe('UNAUTHENTICATED');
    expect(reasonOf(await list(editor, { workspaceId: 'w2' }))).toBe('FORBIDDEN');
    expect(reasonOf(await list(editor, { workspaceId: 'nowhere' }))).toBe('FORBIDDEN'); // no other answer than w2
    expect(reasonOf(await server.ask('{ media(id: "5") { title } }', {}))).toBe('MEDIA_NOT_FOUND');
    expect(reasonOf(await server.ask('{ media(id: "nonsense") { title } }', {}))).toBe('MEDIA_NOT_FOUND');
  });

  it('lists all that the viewer may see without a named workspace, and what an open route shows everybody', async () => {
    const atOpenRoute = { ...editor, opening: { permissions: ['media:view'] } };
    const { id } = await server.db.media.create({
      data: { ...row, title: 'Nobody\u2019s', fileName: '4.png', tenant: 't', folder: 'f', storageKey: 't/f/4.png' },
    });
    const look = (viewer: Viewer) => server.ask(`{ media(id: "${id}") { title } }`, {}, viewer);

    expect((await list(editor, { tenant: 't' })).data).toMatchObject({ mediaList: { totalCount: 2 } });
    expect((await list(atOpenRoute, { tenant: 't' })).data).toMatchObject({ mediaList: { totalCount: 4 } });
    expect(reasonOf(await look(editor))).toBe('MEDIA_NOT_FOUND');
    expect((await look(atOpenRoute)).data).toEqual({ media: { title: 'Nobody\u2019s' } });
    await server.db.media.delete({ where: { id } });
  });

  it('lets a legacy client list only what its route opens', async () => {
    const client: Viewer = { kind: 'legacy-client', permissions: ['media:view'] };

    expect((await list(client, { tenant: 't' })).data).toMatchObject({ mediaList: { totalCount: 3 } });
    expect(reasonOf(await list({ ...client, permissions: [] }, {}))).toBe('FORBIDDEN');
    expect(reasonOf(await list({ ...client, workspaceId: readId('w2') }, { workspaceId: 'w1' }))).toBe('FORBIDDEN');
  });

  it('lists folders, tenants and transcoding profiles', async () => {
    const { data } = await server.ask(
      '{ mediaFolders(workspaceId: "w1") { tenant folder count } mediaTenants(workspaceId: "w1") transcodingProfiles(category: "video") { isDefault renditions { height } } }',
      {},
    );

    expect(data).toEqual({
      mediaFolders: [{ tenant: 't', folder: 'f', count: 2 }],
      mediaTenants: ['t'],
      transcodingProfiles: [
        { isDefault: true, renditions: [{ height: 1080 }, { height: 720 }, { height: 480 }] },
        { isDefault: false, renditions: [{ height: 720 }, { height: 480 }] },
        { isDefault: false, renditions: [] },
      ],
    });
  });

  it('shows the public part of a media item to everyone who was shown a reference to it', async () => {
    const { data } = await entity(demo.media.posterId, null);

    expect(data).toEqual({
      _entities: [
        {
          id: demo.media.posterId,
          status: 'ready',
          storageKey: 'acme/storefront/city-nights.png',
          assetUrl: 'http://localhost/assets/media/acme/storefront/city-nights.png',
          shareUrl: expect.stringMatching(/\/acme\/storefront\/city-nights\.png$/),
          thumbnailUrl: `http://localhost/assets/media/acme/storefront/.thumbnails/${demo.media.posterId}.jpg`,
          title: null,
          workspace: null,
        },
      ],
    });
    expect((await entity('6', editor)).data).toMatchObject({
      _entities: [{ title: 'Picture 1', workspace: { id: 'w1' } }],
    });
  });

  it('hides the key of an upload until the media item is at its final key', async () => {
    const storageKey = 'uploads/the-id-of-an-upload';
    const data = { ...row, organizationId: 'o1', workspaceId: 'w1', title: 'Underway', tenant: 't', folder: 'f' };
    const { id } = await server.db.media.create({
      data: { ...data, fileName: 'underway.png', status: 'processing', storageKey },
    });
    for (const viewer of [editor, null]) {
      const answer = await entity(String(id), viewer);
      expect(answer.data).toMatchObject({
        _entities: [{ status: 'processing', storageKey: '', assetUrl: '', shareUrl: '' }],
      });
      expect(JSON.stringify(answer)).not.toContain('the-id-of-an-upload');
    }
    await server.db.media.delete({ where: { id } });
  });

  it('can be read from its workspace and its organization', async () => {
    const { data } = await server.ask(
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Workspace { media { totalCount } } ... on Organization { media { totalCount } } } }',
      {
        of: [
          { __typename: 'Workspace', id: 'w1' },
          { __typename: 'Organization', id: 'o1' },
        ],
      },
    );

    expect(data).toEqual({ _entities: [{ media: { totalCount: 2 } }, { media: { totalCount: 2 } }] });
  });
});

describe('assets', () => {
  const path = `/assets/media/acme/storefront/city-nights.png`;

  it('are served whole, in ranges, and not again to a client that has them', async () => {
    const whole = await fetch(server.url + path);
    const etag = whole.headers.get('etag') ?? '';
    const size = (await whole.arrayBuffer()).byteLength;
    const part = await fetch(server.url + path, { headers: { range: 'bytes=1-3' } });
    const head = await fetch(server.url + path, { method: 'HEAD' });

    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(size)]);
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)]);
    expect((await fetch(server.url + path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const outside = await fetch(server.url + path, { headers: { range: `bytes=${size}-` } });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
  });

  it.each([
    '/assets/..%2f..%2fsecrets.json',
    '/assets/media/..%2f.tmp',
    '/assets/a%00b',
    '/assets/%5c',
    '/assets/none',
    '/assets/acme',
  ])("can't be read outside the store: %s", async (outside) => {
    expect([400, 404]).toContain((await fetch(server.url + outside)).status);
  });

  it('can be presigned, and a changed link is refused', async () => {
    const { data } = (await (await fetch(`${server.url + path}/presign`)).json()) as { data: { url: string } };
    const link = new URL(data.url);

    expect((await fetch(server.url + link.pathname + link.search)).status).toBe(200);
    link.searchParams.set('expires', '9999999999');
    expect((await fetch(server.url + link.pathname + link.search)).status).toBe(403);
  });
});
