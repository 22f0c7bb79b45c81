import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { expectedChecksum } from '../../uploads/tus/checksum.ts';

/** Of the tus protocol, "Checksum": the bytes of the request are discarded. */
const mismatch = { status_code: 460, body: 'Checksum mismatch\n' };

/**
 * Writes bytes to an upload. Those of a request with a checksum are stored aside first, and written once all of them have
 * arrived and match: an upload never gets a byte that was not verified, whatever breaks off.
 *
 * @param scratch a folder of this process alone
 * @throws the refusal of the protocol when they do not match
 */
export async function verified(
  bytes: Readable,
  scratch: string,
  write: (bytes: Readable) => Promise<number>,
): Promise<number> {
  const checksum = expectedChecksum();
  if (!checksum) return write(bytes);
  const file = join(scratch, randomUUID());
  try {
    const hash = createHash(checksum.algorithm);
    const hashed = async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece);
        yield piece;
      }
    };
    await pipeline(bytes, hashed, createWriteStream(file, { flags: 'wx' }));
    if (!hash.digest().equals(checksum.digest)) throw Object.assign(new Error('a checksum differs'), mismatch);
    return await write(createReadStream(file));
  } finally {
    await rm(file, { force: true });
  }
}
