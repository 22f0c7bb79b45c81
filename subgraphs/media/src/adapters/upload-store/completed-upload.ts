import { Upload } from '@tus/server';

import type { UploadJournal } from '../../uploads/journal.ts';

/**
 * Returns an upload that the library has taken over, with its final offset; null for any other. Its bytes were moved, but a
 * client that missed the last answer may still ask, and would upload all of it again if there were nothing.
 */
export async function completedUpload(journal: UploadJournal, id: string): Promise<Upload | null> {
  const info = await journal.get(id);
  if (!info?.completed || info.size === undefined) return null;
  return new Upload({ id, size: info.size, offset: info.size, creation_date: info.createdAt });
}
