import { extname } from 'node:path';

interface Placed {
  id: number;
  tenant: string;
  folder: string;
  fileName: string;
  ownFolder: boolean;
}

type Stored = Pick<Placed, 'id'> & { storageKey: string };

const join = (...parts: string[]) => parts.filter((part) => part !== '').join('/');

/** What stands behind the number of a media item in the keys of its own files. */
const ours = new Set(['source', 'hls', 'smil', 'thumbnail.jpg']);

/** As a file system reads a name that makes no difference between cases and forms. */
const folded = (name: string) => name.normalize('NFKC').toLowerCase();

const isNumber = (name: string | undefined) => name !== undefined && /^\d+$/.test(folded(name));

/**
 * The path that names given by people are stored under. It is the names themselves, but where they would read like the
 * files of a media item, `…/<number>/hls`: there the name gets a dot in front, which no name of an upload can have. So
 * none of these paths is, contains or lies in a place that belongs to a media item alone.
 */
const pathOf = (names: readonly string[]): string =>
  names.map((name, at) => (ours.has(folded(name)) && isNumber(names[at - 1]) ? `.${name}` : name)).join('/');

/** On a disk a file with a number for its name would be where the folder of a media item belongs. */
const fileNamed = (name: string) => (isNumber(name) ? `.${name}` : name);

const flatKey = ({ tenant, folder }: Placed, fileName: string) =>
  pathOf([tenant, ...folder.split('/').filter(Boolean), fileNamed(fileName)]);

/** The folder that belongs to one media item alone, in the folder that was asked for. */
const documentedPrefix = ({ id, tenant, folder }: Pick<Placed, 'id' | 'tenant' | 'folder'>) =>
  join(pathOf([tenant, ...folder.split('/').filter(Boolean)]), String(id));

/**
 * Where a file may lie, the best place first: as the document has it (spec 3, "Processing after upload"); beside a file
 * of the same name; and where nothing can be in the way, should a disk have a file in the place of its folder.
 */
export function sourceKeys(media: Placed): string[] {
  const { id, tenant, fileName } = media;
  const lastResort = join(tenant, String(id), 'source', fileName);
  if (media.ownFolder) return [...new Set([join(documentedPrefix(media), 'source', fileName), lastResort])];
  const extension = extname(fileName);
  const beside = `${fileName.slice(0, fileName.length - extension.length)}-${id}${extension}`;
  return [flatKey(media, fileName), flatKey(media, beside), lastResort];
}

/** The folder that belongs to one media item alone; null for one whose file lies flat among others. */
export function ownPrefix({ id, storageKey }: Stored): string | null {
  const at = storageKey.lastIndexOf(`/${id}/source/`);
  return at < 0 ? null : `${storageKey.slice(0, at)}/${id}`;
}

/** Names that begin with a dot are ours: no upload can have one. */
export function thumbnailKey(media: Stored): string {
  const prefix = ownPrefix(media);
  if (prefix !== null) return join(prefix, 'thumbnail.jpg');
  return join(media.storageKey.slice(0, media.storageKey.lastIndexOf('/')), '.thumbnails', `${media.id}.jpg`);
}

/** The key that a flat file has in the present layout, from the one of the layout before decision 48. */
export function presentFlatKey(key: string): string {
  const names = key.split('/');
  return pathOf([...names.slice(0, -1), fileNamed(names.at(-1) ?? '')]);
}

/** The same of the folder of a media item. */
export function presentPrefix(prefix: string): string {
  const names = prefix.split('/');
  return join(pathOf(names.slice(0, -1)), names.at(-1) ?? '');
}
