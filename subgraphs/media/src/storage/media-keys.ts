import { extname } from 'node:path';

interface Place {
  id: number;
  tenant: string;
  folder: string;
  fileName: string;
  ownFolder: boolean;
}

type Stored = Pick<Place, 'id'> & { storageKey: string };

const join = (...parts: string[]) => parts.filter((part) => part !== '').join('/');

/** The segments that follow the number of a media item in the keys of its own files. */
const ownSegments = new Set(['source', 'hls', 'smil', 'thumbnail.jpg']);

/** A name as a file system compares it that ignores case and Unicode form. */
const folded = (name: string) => name.normalize('NFKC').toLowerCase();

const isNumber = (name: string | undefined) => name !== undefined && /^\d+$/.test(folded(name));

/**
 * Returns the path for names that people chose: the names themselves, except where they would read like the files of a
 * media item, `…/<number>/hls`. There the name gets a leading dot, which no name of an upload can have. So none of these
 * paths equals, contains or lies in a folder that belongs to one media item alone.
 */
const pathOf = (names: readonly string[]): string =>
  names.map((name, at) => (ownSegments.has(folded(name)) && isNumber(names[at - 1]) ? `.${name}` : name)).join('/');

/** On a disk, a file named with a number would be in the way of a media item's folder. */
const fileNamed = (name: string) => (isNumber(name) ? `.${name}` : name);

const flatKey = ({ tenant, folder }: Place, fileName: string) =>
  pathOf([tenant, ...folder.split('/').filter(Boolean), fileNamed(fileName)]);

/** The folder that belongs to one media item alone, within the folder that the client named. */
const documentedPrefix = ({ id, tenant, folder }: Pick<Place, 'id' | 'tenant' | 'folder'>) =>
  join(pathOf([tenant, ...folder.split('/').filter(Boolean)]), String(id));

/**
 * Returns the keys that a file may get, the best one first: the documented key (spec 3, "Processing after upload"); one
 * beside a file of the same name; and one that is always free, for a disk that has a file in place of the folder.
 */
export function sourceKeys(media: Place): string[] {
  const { id, tenant, fileName } = media;
  const lastResort = join(tenant, String(id), 'source', fileName);
  if (media.ownFolder) return [...new Set([join(documentedPrefix(media), 'source', fileName), lastResort])];
  const extension = extname(fileName);
  const beside = `${fileName.slice(0, fileName.length - extension.length)}-${id}${extension}`;
  return [flatKey(media, fileName), flatKey(media, beside), lastResort];
}

/** Returns the folder that belongs to one media item alone; null for an item whose file lies flat among others. */
export function ownPrefix({ id, storageKey }: Stored): string | null {
  const at = storageKey.lastIndexOf(`/${id}/source/`);
  return at < 0 ? null : `${storageKey.slice(0, at)}/${id}`;
}

/** Returns the key of the preview. Names with a leading dot are reserved: no upload can have one. */
export function thumbnailKey(media: Stored): string {
  const prefix = ownPrefix(media);
  if (prefix !== null) return join(prefix, 'thumbnail.jpg');
  return join(media.storageKey.slice(0, media.storageKey.lastIndexOf('/')), '.thumbnails', `${media.id}.jpg`);
}

/**
 * Returns the key of a preview that an editor chose. It lies outside the folder of the item, so that it stays where it is
 * when the item moves; no upload can have a name with a leading dot.
 *
 * @param choice an id of the choice
 */
export const posterKey = (media: Pick<Place, 'id' | 'tenant'>, choice: string): string =>
  `${posterPrefix(media)}${choice}.jpg`;

/** Returns whether a key of a media item is that of a preview that an editor chose. */
export const isPosterKey = (media: Pick<Place, 'id' | 'tenant'>, key: string): boolean =>
  key.startsWith(posterPrefix(media));

const posterPrefix = ({ id, tenant }: Pick<Place, 'id' | 'tenant'>) => join(tenant, '.posters', `${id}-`);

/** Returns the key of a flat file in the present layout, from its key in the layout before decision 48. */
export function presentFlatKey(key: string): string {
  const names = key.split('/');
  return pathOf([...names.slice(0, -1), fileNamed(names.at(-1) ?? '')]);
}

/** Returns the folder of a media item in the present layout, from its folder in the layout before decision 48. */
export function presentPrefix(prefix: string): string {
  const names = prefix.split('/');
  return join(pathOf(names.slice(0, -1)), names.at(-1) ?? '');
}
