import { AsyncLocalStorage } from 'node:async_hooks';

import { checksumUnusable } from '../refusals.ts';

/** The algorithms of `Upload-Checksum`, and the length of their digests in bytes. tus 1.0 requires SHA-1. */
const digestBytes = { sha1: 20, sha256: 32, sha512: 64, md5: 16 } as const;

type Algorithm = keyof typeof digestBytes;

export const checksumAlgorithms = Object.keys(digestBytes).join(',');

/** The checksum of the body of a request. */
export interface Checksum {
  algorithm: Algorithm;
  digest: Buffer;
}

/**
 * Reads the header `Upload-Checksum`: the name of an algorithm, a blank and the digest in base64.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for another algorithm and for a digest of another length
 */
export function readChecksum(header: string): Checksum {
  const [name = '', text = '', ...more] = header.split(' ');
  const digest = Buffer.from(text, 'base64');
  if (!isAlgorithm(name) || digest.length !== digestBytes[name] || more.length > 0)
    throw checksumUnusable(checksumAlgorithms);
  return { algorithm: name, digest };
}

const isAlgorithm = (name: string): name is Algorithm => Object.hasOwn(digestBytes, name);

const expected = new AsyncLocalStorage<Checksum>();

/** Runs the work of a request whose body has this checksum, if any. */
export const expecting = <Result>(checksum: Checksum | undefined, work: () => Result): Result =>
  checksum ? expected.run(checksum, work) : work();

/** The checksum that the bytes of the current request must have, if any. */
export const expectedChecksum = (): Checksum | undefined => expected.getStore();
