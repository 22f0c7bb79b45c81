/** The prefix of unfinished uploads in the bucket. No tenant can have this name (`uploads/names.ts`). */
export const UPLOADS = 'uploads';

/**
 * Returns whether a key is an upload's. Such a key contains the upload's id, and whoever knows the id may write to the
 * upload, query it and terminate it: it is a secret between upload server and client, and appears in no list.
 */
export const isUploadKey = (key: string): boolean => key.startsWith(`${UPLOADS}/`);

/** Returns a key as people see it: empty while the file is not in its final place. */
export const shownKey = (key: string): string => (isUploadKey(key) ? '' : key);
