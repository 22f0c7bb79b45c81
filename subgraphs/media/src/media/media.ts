import type { Media as MediaRow } from '@foyer/prisma/client';

import { shownKey } from '../storage/upload-keys.ts';

/** What everyone sees who was shown a reference to a media item: the storefront shows its image. */
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

const publicPart = ({ id, status, storageKey, thumbnailKey }: MediaRow): PublicPart => ({
  id: String(id),
  status,
  storageKey: shownKey(storageKey),
  thumbnailKey,
});

/** A media item in full, for who holds `media:view` in its workspace. */
export const inFull = (row: MediaRow): VisibleMedia => ({
  ...row,
  ...publicPart(row),
  fileSize: Number(row.fileSize),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** What everyone may see of it. */
export const inPublic = (row: MediaRow): VisibleMedia => publicPart(row);
