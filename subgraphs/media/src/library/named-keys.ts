import type { Media as MediaRow } from '@foyer/prisma/client';

/** The columns of a media item that name an object of the store. */
export const keyFields = [
  'storageKey',
  'thumbnailKey',
  'posterKey',
  'normalizedKey',
  'manifestKey',
  'smilKey',
  'earlyPlaylistKey',
] as const;

export type NamedKeys = Pick<MediaRow, 'id' | 'objectsRecorded' | (typeof keyFields)[number]>;

/** The `select` of these columns. */
export const namedKeys = {
  id: true,
  objectsRecorded: true,
  storageKey: true,
  thumbnailKey: true,
  posterKey: true,
  normalizedKey: true,
  manifestKey: true,
  smilKey: true,
  earlyPlaylistKey: true,
} as const;
