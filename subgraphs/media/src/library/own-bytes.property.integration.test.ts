import * as fc from 'fast-check';
import { describeStores } from '@foyer/shared/testing/s3';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { ownPrefix, thumbnailKey } from '../storage/media-keys.ts';
import { perform, steps } from '../testing/library-steps.ts';
import { onDisk, onS3, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';

/** What each media item has: by what it is to the item, since a key may change, and with its bytes. */
async function lookInto({ db, everything }: SmallLibrary) {
  const [all, rows, recorded] = await Promise.all([everything(), db.media.findMany(), db.storedObject.findMany()]);
  const owned = new Map(
    rows.map((row) => {
      const { id, storageKey, thumbnailKey: preview, manifestKey, smilKey } = row;
      const prefix = ownPrefix(row);
      const roleOf = (key: string) => {
        if (key === storageKey) return 'the file';
        if (key === thumbnailKey(row)) return 'the preview';
        return prefix !== null && key.startsWith(`${prefix}/`) ? key.slice(prefix.length) : null;
      };
      const named = [storageKey, preview, manifestKey, smilKey].filter((key) => key !== null);
      const written = recorded.filter(({ mediaId }) => mediaId === id).map(({ key }) => key);
      const ofItsOwn = [...all].filter(([, bytes]) => bytes.startsWith(`${id} has `)).map(([key]) => key);
      const has = [...named, ...written, ...ofItsOwn].flatMap((key) => {
        const [role, bytes] = [roleOf(key), all.get(key)];
        return role === null || bytes === undefined ? [] : [[role, bytes] as const];
      });
      return [id, new Map(has)] as const;
    }),
  );
  return { owned, all };
}

const places = [
  { where: 'a disk', openStore: onDisk, runs: 12, most: 12 },
  { where: 'an S3 server', isS3: true, openStore: onS3, runs: 1, most: 8 },
];

describeStores('file names of any kind, on', places, ({ openStore, runs, most }) => {
  let library: SmallLibrary;
  beforeAll(async () => {
    library = await openSmallLibrary(openStore);
  });
  afterAll(() => library.close());

  it('no operation on one media item changes a byte of another', async () => {
    const property = fc.asyncProperty(steps(most), async (happenings) => {
      await library.clear();
      /** Objects whose item was deleted without them. */
      const left = new Map<string, string>();
      let before = await lookInto(library);
      for (const step of happenings) {
        const about = await perform(library, step);
        const after = await lookInto(library);
        const others = [...before.owned].filter(([id]) => !about.has(id));
        for (const [id, had] of others) expect([id, after.owned.get(id)]).toEqual([id, had]);
        for (const [key, bytes] of left) expect([key, after.all.get(key)]).toEqual([key, bytes]);
        const bytesLeft =
          step.do === 'delete' && !step.purge
            ? [...about].flatMap((id) => [...(before.owned.get(id)?.values() ?? [])])
            : [];
        for (const [key, bytes] of before.all) if (bytesLeft.includes(bytes)) left.set(key, bytes);
        before = after;
      }
      await library.work();
      await library.migrateAndBreak(Infinity);
      expect(
        await library.db.media.findMany({
          where: { OR: [{ transcodingStage: 'failed' }, { objectsRecorded: false }] },
        }),
      ).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs });
  });
});
