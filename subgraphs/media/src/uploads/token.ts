import { createHash, randomBytes } from 'node:crypto';

/** A new upload token: shown once, kept only as its hash. */
export const newToken = () => randomBytes(32).toString('base64url');

export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
