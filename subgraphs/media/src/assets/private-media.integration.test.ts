import { describeStores } from '@foyer/shared/testing/s3';
import { answerErrors } from '@foyer/shared/http/error-body';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { renewKeys } from '../objects/renew-keys.ts';
import { setMediaVisibility } from '../library/set-media-visibility.ts';
import { assetLinks } from '../storage/asset-links.ts';
import { linkToken } from '../storage/link-token.ts';
import { memberOf, onDisk, onS3, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';
import { putEarlier } from '../testing/earlier-layout.ts';
import { openAccess } from './access.ts';
import { assetRoutes } from './routes.ts';

const places = [
  { where: 'a disk', openStore: onDisk },
  { where: 'an S3 server', isS3: true, openStore: onS3 },
];
const SECRET = 'the secret that signs links';
const NEXT = 'the secret of tomorrow';
const HOUR = 3_600_000;

describeStores('private media on', places, ({ openStore }) => {
  let library: SmallLibrary;
  let now: Date;
  const clock = { now: () => now };
  const links = assetLinks({ baseUrl: '', cdnHost: '/cdn', bucket: 'media', clock, linkSeconds: 3600, secret: SECRET });
  const said: string[] = [];
  const withLog = { logger: { level: 'warn', stream: { write: (line: string) => void said.push(line) } } };
  const [documented, strict] = [Fastify(withLog), Fastify()];

  beforeAll(async () => {
    library = await openSmallLibrary(openStore);
    const rules = { bucket: 'media', hiddenPrefix: 'uploads/', presignSeconds: 300, firstByteMs: null };
    const needs = { ...library.needs, ...rules, clock, links };
    for (const [app, unownedIsPublic] of [
      [documented, true],
      [strict, false],
    ] as const) {
      answerErrors(app, library.needs.log);
      const accessOf = openAccess(library.db, { unownedIsPublic });
      await app.register(assetRoutes({ ...needs, linkSecrets: [NEXT, SECRET], accessOf }));
    }
  });
  afterAll(() => library.close());
  beforeEach(async () => {
    now = new Date('2030-01-01T12:00:00Z');
    await library.clear();
  });

  const read = (url: string, options = {}) => documented.inject({ url, ...options });
  const statusOf = async (url: string, options = {}) => (await read(url, options)).statusCode;
  const place = (key: string) => `/assets/media/${key}`;
  const behind = (mediaId: number, key: string, expires = now.getTime() / 1000 + 60) =>
    `/assets/${linkToken({ mediaId, expires }, SECRET)}/media/${key}`;

  /** Uploads and processes a file, as a film with a ladder or flat. */
  async function anItem(where: { folder: string; visibility: string; film?: boolean; fileName?: string }) {
    const { film = false, fileName = 'x.bin', ...rest } = where;
    const asFilm = { mediaType: 'video', mimeType: 'video/mp4', transcodingProfileId: '1' };
    const names = { fileName, ...rest, ...(film && asFilm) };
    const id = await library.upload(memberOf(1), `bytes of ${where.folder}/${fileName}`, names);
    await library.work();
    const keys = await library.db.storedObject.findMany({ where: { mediaId: id }, orderBy: { key: 'asc' } });
    const row = await library.db.media.findUniqueOrThrow({ where: { id } });
    return { ...row, id, keys: keys.map(({ key }) => key) };
  }

  const aPrivateFilm = (folder = 'private') =>
    anItem({ folder, visibility: 'PRIVATE', film: true, fileName: 'film.mp4' });

  it('are not found without a link, as if there were nothing', async () => {
    const { keys, storageKey } = await aPrivateFilm();
    expect(keys.length).toBeGreaterThan(6);
    const nothing = await read(place('acme/nothing'));
    for (const key of keys) {
      for (const url of [place(key), `/assets/${key}`, `${place(key)}/presign`, `${place(key)}?expires=9999999999`]) {
        const { statusCode, body, headers } = await read(url);
        expect([url, statusCode, body.replace(/"requestId":"[^"]*"/, '')]).toEqual([
          url,
          404,
          nothing.body.replace(/"requestId":"[^"]*"/, ''),
        ]);
        expect(headers['etag']).toBeUndefined();
      }
    }
    expect(await statusOf(place(storageKey), { method: 'HEAD' })).toBe(404);
    expect(await statusOf(place(storageKey), { headers: { range: 'bytes=0-0' } })).toBe(404);
    expect(await statusOf(place(storageKey), { headers: { 'if-none-match': '*' } })).toBe(404);
  });

  it('are read by a link, which covers playlists and segments', async () => {
    const film = await aPrivateFilm();
    const item = { id: String(film.id), visibility: 'PRIVATE' } as const;
    for (const key of film.keys) expect([key, await statusOf(links.ofAsset(item, key) ?? '')]).toEqual([key, 200]);

    let url = new URL(links.ofAsset(item, film.manifestKey) ?? '', 'http://foyer.test');
    for (const _playlist of ['the master', 'a rung']) {
      const [next = ''] = /^[^#\n]+$/m.exec((await read(url.pathname)).body) ?? [];
      url = new URL(next, url);
    }
    const segment = await read(url.pathname);
    expect([segment.statusCode, segment.body]).toEqual([200, expect.stringContaining('segment of')]);
    expect(segment.headers).toMatchObject({ 'cache-control': 'private, no-cache', 'referrer-policy': 'no-referrer' });
    expect(links.ofShare(item, film.storageKey)).toBeNull();
  });

  it('stay closed to every link that is stretched', async () => {
    const mine = await aPrivateFilm('1');
    const other = await aPrivateFilm('12');
    const flat = await anItem({ folder: '1', visibility: 'PRIVATE', fileName: 'a.bin' });
    const neighbour = await anItem({ folder: '1', visibility: 'PRIVATE', fileName: 'a.bin.2' });
    const soon = now.getTime() / 1000 + 60;
    const token = linkToken({ mediaId: mine.id, expires: soon }, SECRET);
    const [, , mac = ''] = token.split('.');
    const flatLink = (key: string) => behind(flat.id, key);
    const [folder = ''] = mine.storageKey.split('/source/');
    expect(await statusOf(behind(mine.id, mine.storageKey))).toBe(200);
    expect(await statusOf(flatLink(flat.storageKey))).toBe(200);

    const attempts: [string, string, number][] = [
      ['another item', behind(mine.id, other.storageKey), 404],
      ['another item, without the bucket', `/assets/${token}/${other.storageKey}`, 404],
      ['its playlist', behind(mine.id, other.manifestKey ?? ''), 404],
      ['its presigned link', `${behind(mine.id, other.storageKey)}/presign`, 404],
      ['a flat file beside it', flatLink(neighbour.storageKey), 404],
      ['a folder that begins alike', behind(mine.id, other.storageKey.replace('/12/', '/1/../12/')), 404],
      ['up from its folder', behind(mine.id, `${folder}/../../12/${other.storageKey.split('/12/')[1]}`), 404],
      ['up, encoded', behind(mine.id, `${folder}/%2e%2e/%2e%2e/12/${other.storageKey.split('/12/')[1]}`), 404],
      ['encoded slashes', behind(mine.id, other.storageKey.replaceAll('/', '%2F')), 404],
      ['encoded twice', behind(mine.id, other.storageKey.replaceAll('/', '%252F')), 404],
      ['a double slash', behind(mine.id, other.storageKey.replace('/', '//')), 404],
      ['the bucket twice', behind(mine.id, `media/${other.storageKey}`), 404],
      ['another number', `/assets/~${other.id}.${soon}.${mac}/media/${other.storageKey}`, 403],
      ['a later end', `/assets/~${mine.id}.${soon + 1}.${mac}/media/${mine.storageKey}`, 403],
      ['no end', `/assets/~${mine.id}.99999999999.${mac}/media/${mine.storageKey}`, 403],
      [
        'digits moved over',
        `/assets/~${mine.id}${String(soon)[0]}.${String(soon).slice(1)}.${mac}/media/${mine.storageKey}`,
        403,
      ],
      ['an empty seal', `/assets/~${mine.id}.${soon}./media/${mine.storageKey}`, 404],
      [
        'a seal of another secret',
        `/assets/${linkToken({ mediaId: mine.id, expires: soon }, 'guessed')}/media/${mine.storageKey}`,
        403,
      ],
      [
        'a link in a link',
        `/assets/${token}/${linkToken({ mediaId: other.id, expires: soon }, 'guessed')}/media/${other.storageKey}`,
        404,
      ],
      ['the token at the end', `${place(mine.storageKey)}/${token}`, 404],
      ['the token as a query', `${place(mine.storageKey)}?token=${token}`, 404],
      ['a presigned link of the public', `${place(mine.storageKey)}?expires=${soon}&signature=${mac}`, 404],
    ];
    for (const [what, url, status] of attempts) expect([what, await statusOf(url)]).toEqual([what, status]);
    expect(await statusOf(behind(mine.id, mine.storageKey), { method: 'DELETE' })).toBe(404);
    expect(await statusOf(behind(mine.id, mine.storageKey), { method: 'PUT' })).toBe(404);
  });

  it('are closed when the link expires, also to a link that it was exchanged for', async () => {
    const film = await aPrivateFilm();
    const item = { id: String(film.id), visibility: 'PRIVATE' } as const;
    const link = links.ofAsset(item, film.storageKey) ?? '';
    const { data } = (await read(`${link}/presign`)).json();
    expect([await statusOf(link), await statusOf(data.url), data.expiresIn]).toEqual([200, 200, 3600]);

    now = new Date(now.getTime() + HOUR - 1);
    expect([await statusOf(link), await statusOf(data.url)]).toEqual([200, 200]);
    now = new Date(now.getTime() + 1);
    expect([await statusOf(link), await statusOf(data.url), await statusOf(`${link}/presign`)]).toEqual([
      403, 403, 403,
    ]);
    expect((await read(link)).json()).toMatchObject({ code: 'LINK_EXPIRED' });
    expect(said).toEqual([]); // each request was answered once
  });

  it('keep a link for a while, and say when it expires', () => {
    const item = { id: '7', visibility: 'PRIVATE' } as const;
    const link = links.ofAsset(item, 'acme/x');
    now = new Date(now.getTime() + HOUR / 4 - 1);
    expect(links.ofAsset(item, 'acme/x')).toBe(link);
    expect(links.expiryOf(item)).toEqual(new Date('2030-01-01T13:00:00Z'));
    now = new Date(now.getTime() + 1);
    expect(links.ofAsset(item, 'acme/x')).not.toBe(link);
    expect(links.expiryOf({ id: '7', visibility: 'PUBLIC' })).toBeNull();
  });

  it('become public and private again, for every process within seconds', async () => {
    const { id, storageKey } = await aPrivateFilm();
    const say = (visibility: 'PUBLIC' | 'PRIVATE') =>
      setMediaVisibility(library.as(memberOf(1)), { id: String(id), visibility });
    expect(await statusOf(place(storageKey))).toBe(404);
    await say('PUBLIC');
    await vi.waitUntil(async () => (await statusOf(place(storageKey))) === 200, { timeout: 10_000, interval: 100 });
    expect((await read(place(storageKey))).headers['cache-control']).toBe('public, no-cache');
    await say('PRIVATE');
    await vi.waitUntil(async () => (await statusOf(place(storageKey))) === 404, { timeout: 10_000, interval: 100 });
    expect(await statusOf(behind(id, storageKey))).toBe(200);
  });

  it('stay closed after they were deleted without their files', async () => {
    const { id, keys, storageKey } = await aPrivateFilm();
    await library.remove(memberOf(1), id, false);
    expect((await library.everything()).has(storageKey)).toBe(true);
    for (const key of keys)
      expect([key, await statusOf(place(key)), await statusOf(behind(id, key))]).toEqual([key, 404, 404]);
    const next = await anItem({ folder: 'private', visibility: 'PUBLIC', film: true, fileName: 'film.mp4' });
    expect(keys).not.toContain(next.storageKey);
  });

  it('are found by their links from before a move, and nobody else’s are', async () => {
    const folder = 'seasons/324/hls';
    const id = (await putEarlier(library, { tenant: 'acme', folder, fileName: 'film.mp4', film: true })) ?? 0;
    const { storageKey: oldKey } = await library.db.media.findUniqueOrThrow({ where: { id } });
    await library.db.media.update({ where: { id }, data: { visibility: 'PRIVATE' } });
    expect(await renewKeys(library.needs, id)).toBe(true);
    const { storageKey } = await library.db.media.findUniqueOrThrow({ where: { id } });
    const other = await aPrivateFilm();
    expect(storageKey).not.toBe(oldKey);
    expect([await statusOf(behind(id, oldKey)), await statusOf(behind(id, storageKey))]).toEqual([200, 200]);
    expect([await statusOf(place(oldKey)), await statusOf(behind(other.id, oldKey))]).toEqual([404, 404]);
  });

  it('are alone in being closed where everything documented is public; else only public items are open', async () => {
    const item = await anItem({ folder: 'open', visibility: 'PUBLIC' });
    await library.store.put('acme/legacy.txt', Buffer.from('from before Foyer'));
    const both = async (key: string) => [
      (await documented.inject(place(key))).statusCode,
      (await strict.inject(place(key))).statusCode,
    ];
    expect(await both(item.storageKey)).toEqual([200, 200]);
    expect(await both('acme/legacy.txt')).toEqual([200, 404]);
    expect(await both((await aPrivateFilm()).storageKey)).toEqual([404, 404]);
  });
});
