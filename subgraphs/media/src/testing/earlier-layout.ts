// For tests: media items as they were before decision 48.
import { folderPath, segment, tenantName } from '../uploads/names.ts';
import type { SmallLibrary } from './library-fixture.ts';

interface Place {
  tenant: string;
  /** Segments joined by `/`; none for the top. */
  folder: string;
  fileName: string;
}

/**
 * Adds a media item in the layout from before decision 48: under the names that people chose, even if they are reserved
 * now. A film has a ladder of one rung.
 *
 * @returns its id; null when something else has one of the keys
 */
export async function putEarlier(
  { db, store }: SmallLibrary,
  { film, ...names }: Place & { film: boolean },
): Promise<number | null> {
  const place = usable(names);
  if (!place) return null;
  const path = [place.tenant, place.folder].filter(Boolean).join('/');
  const row = { ...place, title: 'x', mediaType: film ? 'video' : 'other', mimeType: 'x/y', originalName: 'x' };
  const { id } = await db.media.create({
    data: {
      ...row,
      visibility: 'PUBLIC',
      fileSize: 1,
      storageKey: `earlier/${Math.random()}`,
      status: 'ready',
      transcodingStage: 'done',
    },
  });
  const prefix = `${path}/${id}`;
  const keys = film
    ? {
        storageKey: `${prefix}/source/${place.fileName}`,
        thumbnailKey: `${prefix}/thumbnail.jpg`,
        manifestKey: `${prefix}/hls/master.m3u8`,
        smilKey: `${prefix}/smil/ladder.smil`,
      }
    : { storageKey: `${path}/${place.fileName}`, thumbnailKey: `${path}/.thumbnails/${id}.jpg` };
  const rung = film ? ['init.mp4', 'index.m3u8', 'seg_00000.m4s'].map((name) => `${prefix}/hls/360p/${name}`) : [];
  const all = [...Object.values(keys), ...rung];
  const written: string[] = [];
  try {
    for (const key of all) {
      const isTaken = (await store.stat(key)) ?? (await db.storedObject.findUnique({ where: { key } }));
      if (isTaken) throw new Error('taken');
      await store.put(key, Buffer.from(`${id} has ${key}`));
      written.push(key);
    }
    await db.media.update({ where: { id }, data: { ...keys, ownFolder: film } });
    return id;
  } catch {
    await store.removeAll(written);
    await db.media.delete({ where: { id } });
    return null;
  }
}

/** Applies the rules for names, which have not changed since. */
function usable({ tenant, folder, fileName }: Place): Place | null {
  try {
    return { tenant: tenantName(tenant), folder: folderPath(folder), fileName: segment('fileName', fileName) };
  } catch {
    return null;
  }
}
