import { badInput } from '@foyer/shared/errors';
import { openingOf } from '@foyer/shared/auth/opening';
import { permitOnPlatform } from '@foyer/shared/auth/permissions';

import { KeyRefused, type Listed } from '#ports/object-store.ts';
import type { Context } from '../context.ts';
import { ownPrefix } from '../storage/media-keys.ts';
import { isUploadKey, UPLOADS } from '../storage/upload-keys.ts';
import { findMissingObjects } from './find-missing-objects.ts';
import { keyFields, namedKeys, type NamedKeys } from './named-keys.ts';
import { sampled } from './sampled.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'store'>;

interface Scope {
  prefix?: string | null | undefined;
  /** How many objects are read at most. */
  limit: number;
}

/** A prefix that matches no key: none has an empty segment. */
const MATCHES_NOTHING = '//';
/** Read in about ten seconds; the gateway waits for thirty. */
const LIMIT_MAX = 250_000;
const BATCH = 1000;

/**
 * Compares the store with the library, and changes neither. Objects are read as a stream and in batches; memory holds one
 * number for each media item that was found.
 */
export async function auditStorage(needs: Needs, { prefix, limit }: Scope) {
  await permitAudit(needs);
  if (limit < 1 || limit > LIMIT_MAX)
    throw badInput([{ path: 'limit', message: `must be between 1 and ${LIMIT_MAX}` }]);
  const within = guessesAnUpload(prefix) ? MATCHES_NOTHING : (prefix ?? '');
  const audit = {
    scanned: 0,
    bytes: 0,
    scanTruncated: false,
    orphans: sampled<Listed>(),
    seen: new Map<number, number>(),
  };

  let batch: Listed[] = [];
  for await (const object of listed(needs, within)) {
    if (audit.scanned === limit) {
      audit.scanTruncated = true;
      break;
    }
    audit.scanned++;
    audit.bytes += object.size;
    batch.push(object);
    if (batch.length === BATCH) await attribute(needs, batch.splice(0), audit);
  }
  await attribute(needs, batch, audit);
  const { missing, mediaCount } = await findMissingObjects(needs, { within, limit, seen: audit.seen });

  return {
    objectCount: audit.scanned,
    objectBytes: audit.bytes,
    mediaCount,
    orphanCount: audit.orphans.count,
    missingCount: missing.count,
    orphans: audit.orphans.items.map(({ key, size, modifiedAt }) => ({
      key,
      size,
      modifiedAt: modifiedAt.toISOString(),
    })),
    missing: missing.items,
    scanTruncated: audit.scanTruncated,
  };
}

/** The bucket belongs to all organizations: only those who run the platform may audit it. */
async function permitAudit({ viewer, permissions }: Needs): Promise<void> {
  if (openingOf(viewer)?.permissions.includes('media:view')) return;
  await permitOnPlatform({ viewer, permissions }, 'org:manage');
}

/** Lists the objects under a prefix; none under one that no key can have. */
async function* listed({ store }: Needs, prefix: string): AsyncGenerator<Listed> {
  try {
    yield* store.list(prefix);
  } catch (error) {
    if (!(error instanceof KeyRefused)) throw error;
  }
}

/** Whether a prefix guesses at the id of an upload, which is a secret. */
const guessesAnUpload = (prefix: string | null | undefined) =>
  !!prefix && isUploadKey(prefix) && prefix !== `${UPLOADS}/`;

interface Audit {
  orphans: ReturnType<typeof sampled<Listed>>;
  /** Which keys of a media item were found: a bit for each of `keyFields`. */
  seen: Map<number, number>;
}

/**
 * Finds the owners of objects in their records. An item whose objects are not recorded yet owns the files that its row
 * names and those in its folder.
 */
async function attribute({ db }: Needs, objects: readonly Listed[], { orphans, seen }: Audit): Promise<void> {
  if (objects.length === 0) return;
  const keys = objects.map(({ key }) => key);
  const recorded = await db.storedObject.findMany({ where: { key: { in: keys } } });
  const ids = [...recorded.map(({ mediaId }) => mediaId), ...objects.flatMap(numbersIn)];
  const rows: NamedKeys[] = await db.media.findMany({
    where: { OR: [{ storageKey: { in: keys } }, { id: { in: [...new Set(ids)] } }] },
    select: namedKeys,
  });
  const there = new Set(rows.map(({ id }) => id));
  const accounted = new Set(recorded.filter(({ mediaId }) => there.has(mediaId)).map(({ key }) => key));
  const owners = new Map<string, { id: number; bit: number }[]>();
  const folders = new Set<string>();
  for (const row of rows) {
    const folder = row.objectsRecorded ? null : ownPrefix(row);
    if (folder !== null) folders.add(folder);
    for (const [place, field] of keyFields.entries()) {
      const key = row[field];
      if (key) owners.set(key, [...(owners.get(key) ?? []), { id: row.id, bit: 1 << place }]);
    }
  }
  const waiting = await unmovedUploads(
    db,
    keys.filter((key) => !owners.has(key) && !accounted.has(key)),
  );
  for (const object of objects) {
    const owned = owners.get(object.key);
    for (const { id, bit } of owned ?? []) seen.set(id, (seen.get(id) ?? 0) | bit);
    if (!owned && !accounted.has(object.key) && !waiting.has(object.key) && !liesIn(object.key, folders))
      orphans.add(object, !isUploadKey(object.key));
  }
}

/**
 * Returns those keys under which an upload lies whose media item never got it to its final place: the only copy of an item
 * that failed, though its row may name the final place already.
 */
async function unmovedUploads(db: Needs['db'], keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const uploads = await db.upload.findMany({ where: { key: { in: [...keys] } }, select: { id: true, key: true } });
  const waiting = await db.media.findMany({
    where: { uploadId: { in: uploads.map(({ id }) => id) }, status: { not: 'ready' } },
    select: { uploadId: true },
  });
  const ids = new Set(waiting.map(({ uploadId }) => uploadId));
  return new Set(uploads.filter(({ id }) => ids.has(id)).map(({ key }) => key));
}

const liesIn = (key: string, folders: ReadonlySet<string>) => {
  for (let slash = key.lastIndexOf('/'); slash > 0; slash = key.lastIndexOf('/', slash - 1)) {
    if (folders.has(key.slice(0, slash))) return true;
  }
  return false;
};

/** Returns every number in a key that may be the id of a media item. */
const numbersIn = ({ key }: Listed): number[] =>
  key
    .split('/')
    .map((segment) => Number(/^(\d{1,10})(\.jpg)?$/.exec(segment)?.[1]))
    .filter((number) => number > 0 && number < 2 ** 31);
