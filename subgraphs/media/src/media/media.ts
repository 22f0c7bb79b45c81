import type { Media as MediaRow } from '@foyer/prisma/client';

import { shownKey } from '../storage/upload-keys.ts';

/** The part that everyone sees who was shown a reference to a media item, such as visitors of the storefront. */
interface PublicPart {
  id: string;
  status: MediaRow['status'];
  storageKey: string;
  thumbnailKey: string | null;
}

type Details = Omit<MediaRow, keyof PublicPart | 'fileSize' | 'createdAt' | 'updatedAt'> & {
  fileSize: number;
  createdAt: string;
  updatedAt: string;
};

/** A media item as one viewer sees it. */
export type VisibleMedia = PublicPart & { [Detail in keyof Details]?: Details[Detail] | null };

const publicPart = ({ id, status, storageKey, thumbnailKey, posterKey }: MediaRow): PublicPart => ({
  id: String(id),
  status,
  storageKey: shownKey(storageKey),
  thumbnailKey: posterKey ?? thumbnailKey,
});

const withoutKeys = { storageKey: '', thumbnailKey: null };

/** Returns the media item in full, for viewers who hold `media:view` in its workspace. */
export const showInFull = (row: MediaRow): VisibleMedia => ({
  ...row,
  ...publicPart(row),
  fileSize: Number(row.fileSize),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Returns the part of the media item that everyone may see. */
export const showPublicPart = (row: MediaRow): VisibleMedia => ({
  ...publicPart(row),
  ...(row.visibility === 'PRIVATE' && withoutKeys),
});
