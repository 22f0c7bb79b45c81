import type { Context } from '../context.ts';
import { shownKey } from '../storage/upload-keys.ts';
import { keyFields, namedKeys, type NamedKeys } from './named-keys.ts';
import { sampled } from './sampled.ts';

type Needs = Pick<Context, 'db' | 'store'>;

const BATCH = 1000;
const STATS_AT_ONCE = 16;

/** Finds the keys that rows name and the store does not have. It looks up each key that the listing did not contain. */
export async function findMissingObjects(
  { db, store }: Needs,
  { within, limit, seen }: { within: string; limit: number; seen: ReadonlyMap<number, number> },
) {
  const missing = sampled<{ mediaId: string; key: string }>();
  let [mediaCount, after] = [0, 0];
  while (mediaCount < limit) {
    const rows: NamedKeys[] = await db.media.findMany({
      where: {
        id: { gt: after },
        ...(within && { storageKey: { startsWith: within.replaceAll(/[\\%_]/g, String.raw`\$&`) } }),
      },
      orderBy: { id: 'asc' },
      take: Math.min(BATCH, limit - mediaCount),
      select: namedKeys,
    });
    if (rows.length === 0) break;
    mediaCount += rows.length;
    after = rows.at(-1)?.id ?? after;
    const unseen = rows.flatMap((row) => unseenKeys(row, seen.get(row.id) ?? 0));
    for (let from = 0; from < unseen.length; from += STATS_AT_ONCE) {
      const batch = unseen.slice(from, from + STATS_AT_ONCE);
      const there = await Promise.all(batch.map(({ key }) => store.stat(key)));
      const absent = batch.filter((_one, place) => !there[place]);
      const waiting = await waitingToMove({ db, store }, absent);
      for (const one of absent) if (!waiting.has(one.mediaId)) missing.add({ ...one, key: shownKey(one.key) });
    }
  }
  return { missing, mediaCount };
}

function unseenKeys(row: NamedKeys, bits: number): { mediaId: string; key: string }[] {
  const keys = keyFields.flatMap((field, place) => (bits & (1 << place) ? [] : (row[field] ?? [])));
  return [...new Set(keys)].map((key) => ({ mediaId: String(row.id), key }));
}

/** Returns the media items whose file never got to its final place, and lies whole where it was uploaded. */
async function waitingToMove(
  { db, store }: Needs,
  absent: readonly { mediaId: string }[],
): Promise<ReadonlySet<string>> {
  if (absent.length === 0) return new Set();
  const rows = await db.media.findMany({
    where: { id: { in: absent.map(({ mediaId }) => Number(mediaId)) }, status: { not: 'ready' } },
    select: { id: true, uploadId: true },
  });
  const uploads = await db.upload.findMany({
    where: { id: { in: rows.flatMap(({ uploadId }) => uploadId ?? []) } },
    select: { id: true, key: true },
  });
  const present = await Promise.all(uploads.map(async ({ id, key }) => (key && (await store.stat(key)) ? id : null)));
  return new Set(rows.filter(({ uploadId }) => uploadId && present.includes(uploadId)).map(({ id }) => String(id)));
}
