import { extname } from 'node:path';

interface Placed {
  id: number;
  tenant: string;
  folder: string;
  fileName: string;
  ownFolder: boolean;
}

const join = (...parts: string[]) => parts.filter((part) => part !== '').join('/');

/** The folder that belongs to one media item alone. */
export const ownPrefix = ({ id, tenant, folder }: Placed) => join(tenant, folder, String(id));

/** Where the file belongs: flat, or in the folder of its own. */
export const sourceKey = (media: Placed) =>
  media.ownFolder ? join(ownPrefix(media), 'source', media.fileName) : join(media.tenant, media.folder, media.fileName);

/** The same, for when that place is taken by another file of that name. */
export function sourceKeyBeside(media: Placed): string {
  const extension = extname(media.fileName);
  const stem = media.fileName.slice(0, media.fileName.length - extension.length);
  return sourceKey({ ...media, fileName: `${stem}-${media.id}${extension}` });
}

/** Names that begin with a dot are ours: no upload can have one. */
export const thumbnailKey = (media: Placed) =>
  media.ownFolder
    ? join(ownPrefix(media), 'thumbnail.jpg')
    : join(media.tenant, media.folder, '.thumbnails', `${media.id}.jpg`);
