/** Where unfinished uploads lie in the bucket. No tenant can have that name (`names.ts`). */
export const UPLOADS = 'uploads';

/**
 * Whether a key is one of an upload. It holds the upload's id, and who knows the id may write, ask and give up: a secret
 * between the upload server and who began the upload, which no list may name.
 */
export const isUploadKey = (key: string): boolean => key.startsWith(`${UPLOADS}/`);

/** A key as people see it: empty while the file is not at its place. */
export const shownKey = (key: string): string => (isUploadKey(key) ? '' : key);
