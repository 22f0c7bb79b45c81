import { describeStores } from '@foyer/shared/testing/s3';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openAccess } from '../assets/access.ts';
import { assetRoutes } from '../assets/routes.ts';
import { auditStorage } from '../library/audit-storage.ts';
import { putEarlier } from '../testing/earlier-layout.ts';
import { memberOf, onDisk, onS3, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';

const places = [
  { where: 'a disk', openStore: onDisk, kills: Array.from({ length: 13 }, (_, changes) => changes) },
  { where: 'an S3 server', isS3: true, openStore: onS3, kills: [1, 4, 8] },
];

describeStores('a library of an earlier version, on', places, ({ openStore, kills }) => {
  let library: SmallLibrary;
  const app = Fastify();
  beforeAll(async () => {
    library = await openSmallLibrary(openStore);
    await app.register(
      assetRoutes({
        ...library.needs,
        bucket: 'media',
        linkSecrets: ['secret'],
        presignSeconds: 300,
        accessOf: openAccess(library.db, { unownedIsPublic: true }),
        hiddenPrefix: 'uploads/',
        firstByteMs: null,
      }),
    );
  });
  afterAll(() => library.close());

  const read = async (key: string) => (await app.inject(`/assets/media/${encodeURI(key)}`)).body;
  const keysOf = async (id: number) => library.db.media.findUniqueOrThrow({ where: { id } });

  /** A film, and what an earlier version let others put into its folder. */
  async function anEarlierLibrary() {
    await library.clear();
    const film = await earlier({ folder: 'seasons', fileName: 'film.mp4', film: true });
    const folder = `seasons/${film}`;
    const poster = await earlier({ folder, fileName: 'poster.png', film: false });
    const segment = await earlier({ folder: `${folder}/hls/360p`, fileName: 'seg_00009.m4s', film: false });
    const inside = await earlier({ folder: `${folder}/hls`, fileName: 'inside.mp4', film: true });
    return { film, poster, segment, inside, objects: await library.everything() };
  }

  async function earlier(place: { folder: string; fileName: string; film: boolean }): Promise<number> {
    const id = await putEarlier(library, { tenant: 'acme', ...place });
    expect(id).not.toBeNull();
    return id ?? 0;
  }

  it(
    'is brought into the present layout, wherever the job is killed, and can be read all the time',
    { timeout: 120_000 },
    async () => {
      for (const changes of kills) {
        const { film, poster, segment, inside, objects } = await anEarlierLibrary();
        await library.migrateAndBreak(changes);
        for (const [key, bytes] of objects) expect(await read(key)).toBe(bytes);
        await library.migrateAndBreak(Infinity);

        for (const [key, bytes] of objects) expect(await read(key)).toBe(bytes);
        expect(await keysOf(film)).toMatchObject({ manifestKey: `acme/seasons/${film}/hls/master.m3u8` });
        expect(await keysOf(poster)).toMatchObject({ storageKey: `acme/seasons/${film}/poster.png` });
        expect(await keysOf(segment)).toMatchObject({ storageKey: `acme/seasons/${film}/.hls/360p/seg_00009.m4s` });
        expect(await keysOf(inside)).toMatchObject({
          manifestKey: `acme/seasons/${film}/.hls/${inside}/hls/master.m3u8`,
        });
        expect((await library.everything()).size).toBe(objects.size);
        const audit = await auditStorage(library.as(memberOf(1)), { limit: 1000 });
        expect(audit).toMatchObject({ orphanCount: 0, missingCount: 0, objectCount: objects.size });
      }
    },
  );

  it('changes nothing more in the store once it is migrated', async () => {
    await anEarlierLibrary();
    await library.migrateAndBreak(Infinity);
    const done = await library.everything();
    await library.migrateAndBreak(0);

    expect(await library.everything()).toEqual(done);
    expect(await library.db.media.count({ where: { objectsRecorded: false } })).toBe(0);
  });

  it('removes exactly the files of a deleted film, also before its migration', async () => {
    const { film, objects } = await anEarlierLibrary();
    await library.remove({ kind: 'legacy-client', permissions: ['media:view', 'media:delete'] }, film);
    await library.work();

    const present = await library.everything();
    const lost = [...objects].filter(([key]) => !present.has(key));
    expect(lost.map(([, bytes]) => bytes.split(' ')[0])).toEqual(Array.from({ length: 7 }, () => String(film)));
  });
});
