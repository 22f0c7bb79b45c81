import { readId } from '@foyer/shared/ids';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { listUserMedia } from './list-media.ts';
import { openMediaDirectory } from './media-directory.ts';
import { mediaFixture, processed } from '../testing/media-fixture.ts';
import { editor, openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';

let server: ScratchMedia;
let id: string;

const nobody: Permissions = {
  onPlatform: async () => new Set(),
  inOrganization: async () => new Set(),
  inWorkspace: async () => null,
  workspacesWith: async () => [],
};

const keys = { storageKey: 'hidden/f/x.mp4', thumbnailKey: 'hidden/f/.thumbnails/x.jpg' };

beforeAll(async () => {
  server = await openScratchMedia();
  const film = { title: 'Secret', mediaType: 'video', fileName: 'x.mp4', tenant: 'hidden', folder: 'f' } as const;
  id = String((await server.db.media.create({ data: mediaFixture({ ...processed, ...film, ...keys }) })).id);
});
afterAll(() => server.stop());

const atOpenRoute: Viewer = {
  kind: 'legacy-client',
  permissions: ['media:view', 'media:manage', 'media:delete'],
};
const reasonOf = (answer: Awaited<ReturnType<ScratchMedia['ask']>>) => answer.errors?.[0]?.extensions['reason'];

const find = (viewer: Viewer | null) =>
  server.ask(
    'query ($id: ID!) { media(id: $id) { visibility assetUrl thumbnailUrl shareUrl linksExpireAt } }',
    { id },
    viewer,
  );
const set = (visibility: string, viewer: Viewer | null = editor) =>
  server.ask(
    'mutation ($id: ID!, $to: MediaVisibility!) { setMediaVisibility(id: $id, visibility: $to) { visibility shareUrl } }',
    { id, to: visibility },
    viewer,
  );

describe('a private media item', () => {
  it('has signed links for those who may view it, and none to share', async () => {
    const { data } = await find(editor);

    expect(data).toEqual({
      media: {
        visibility: 'PRIVATE',
        assetUrl: expect.stringMatching(/^http:\/\/localhost\/assets\/~\d+\.\d+\.[\w-]{43}\/media\/hidden\/f\/x\.mp4$/),
        thumbnailUrl: expect.stringMatching(/^http:\/\/localhost\/assets\/~/),
        shareUrl: '',
        linksExpireAt: expect.stringMatching(/Z$/),
      },
    });
  });

  it('shows no keys and no links to others who were shown a reference to it', async () => {
    const { data } = await server.ask(
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Media { id status storageKey thumbnailKey assetUrl shareUrl thumbnailUrl manifestUrl title visibility linksExpireAt } } }',
      { of: [{ __typename: 'Media', id }] },
      null,
    );

    const nothing = { title: null, visibility: null, manifestUrl: null, thumbnailUrl: null, linksExpireAt: null };
    const empty = { storageKey: '', thumbnailKey: null, assetUrl: '', shareUrl: '' };
    expect(data).toEqual({ _entities: [{ id, status: 'ready', ...empty, ...nothing }] });
  });

  it('does not exist at open routes, unless the client may view it anyway', async () => {
    const signedIn = { ...editor, opening: { permissions: ['media:view'] } };
    const list = async (viewer: Viewer) =>
      (
        await server.ask(
          '{ mediaList(filter: { tenant: "hidden" }) { totalCount } mediaTenants mediaFolders { tenant } }',
          {},
          viewer,
        )
      ).data;
    const change = (field: string, viewer: Viewer) =>
      server.ask(`mutation ($id: ID!) { ${field}(id: $id) { id } }`, { id }, viewer);

    expect(reasonOf(await find(atOpenRoute))).toBe('MEDIA_NOT_FOUND');
    expect(reasonOf(await change('processMedia', atOpenRoute))).toBe('MEDIA_NOT_FOUND');
    expect(reasonOf(await change('deleteMedia', atOpenRoute))).toBe('MEDIA_NOT_FOUND');
    expect(reasonOf(await set('PUBLIC', atOpenRoute))).toBe('MEDIA_NOT_FOUND');
    expect(await list(atOpenRoute)).toMatchObject({ mediaList: { totalCount: 0 } });
    expect(JSON.stringify(await list(atOpenRoute))).not.toContain('hidden');

    expect((await find(signedIn)).data).toMatchObject({ media: { visibility: 'PRIVATE' } });
    expect(await list(signedIn)).toMatchObject({ mediaList: { totalCount: 1 } });
    expect((await list(signedIn))?.['mediaTenants']).toContain('hidden');
  });

  it('becomes public by those who may manage it, and is then for everybody', async () => {
    expect(reasonOf(await set('PUBLIC', null))).toBe('UNAUTHENTICATED');
    expect((await set('PUBLIC')).data).toEqual({
      setMediaVisibility: { visibility: 'PUBLIC', shareUrl: 'http://localhost/assets/hidden/f/x.mp4' },
    });
    expect((await find(atOpenRoute)).data).toMatchObject({
      media: { assetUrl: 'http://localhost/assets/media/hidden/f/x.mp4', linksExpireAt: null },
    });
    expect((await set('PRIVATE')).data).toMatchObject({ setMediaVisibility: { visibility: 'PRIVATE' } });
  });
});

describe('the directory of media', () => {
  it('does not show a private item to an open route of another subgraph', async () => {
    const { db } = server;
    const directory = openMediaDirectory({ db, permissions: nobody });
    expect(await directory.findVisible(atOpenRoute, readId(id))).toBeNull();
    await set('PUBLIC');
    expect(await directory.findVisible(atOpenRoute, readId(id))).toBe(Number(id));
    await set('PRIVATE');
  });
});

describe('what a person has uploaded', () => {
  it('is listed for others only from workspaces that they may look into', async () => {
    const { db } = server;
    const by = { createdBy: 'u7', visibility: 'PUBLIC' } as const;
    const { id: here } = await db.media.create({ data: mediaFixture({ ...processed, ...by }) });
    await db.media.create({ data: mediaFixture({ ...processed, ...by, workspaceId: 'w3', organizationId: 'o3' }) });
    const permissions = { ...nobody, workspacesWith: async () => [readId('w1')] };

    const { edges } = await listUserMedia({ db, viewer: editor, permissions }, readId('u7'), {});

    expect(edges.map(({ node }) => node.id)).toEqual([String(here)]);
  });
});

describe('an upload', () => {
  const prepared = async (viewer: Viewer, visibility: string | null = null) => {
    const described = { title: 'x', originalName: 'x', fileName: 'x', fileSize: 1, tenant: 'acme', mediaType: 'other' };
    const { errors } = await server.ask(
      'mutation ($input: PrepareUploadInput!) { prepareUpload(input: $input) { uploadToken } }',
      { input: { ...described, mimeType: 'x/y', workspaceId: 'w1', visibility } },
      viewer,
    );
    expect(errors).toBeUndefined();
    const latest = await server.db.uploadToken.findFirstOrThrow({ orderBy: { id: 'desc' } });
    return latest.visibility;
  };

  it('is private unless it says otherwise', async () => {
    expect(await prepared(editor)).toBe('PRIVATE');
    expect(await prepared(editor, 'PRIVATE')).toBe('PRIVATE');
    expect(await prepared(editor, 'PUBLIC')).toBe('PUBLIC');
  });

  it('is public at a route that the documents leave open, with a token beside it or without', async () => {
    const permissions = ['media:upload'];
    const signedIn = { ...editor, opening: { permissions } };
    expect(await prepared(signedIn)).toBe('PUBLIC');
    expect(await prepared({ kind: 'legacy-client', permissions })).toBe('PUBLIC');
  });
});
