import type { Readable } from 'node:stream';

/** Where the bytes of the library lie. A key is a path of segments joined by `/`, without the bucket's name. */
export interface ObjectStore {
  /** Writes an object, whole or not at all; what was under the key is replaced. */
  put(key: string, bytes: Readable | Uint8Array): Promise<Stored>;

  /** Makes a local file an object, whole or not at all, and takes the file away: it is gone afterwards. */
  putFile(key: string, file: string): Promise<Stored>;

  /**
   * Opens an object as it is at this moment: what replaces it meanwhile is not seen.
   *
   * @returns null when there is none; else it is to be read or closed, once
   */
  open(key: string): Promise<OpenObject | null>;

  /** Brings an object to a local path, to be read only: writing to the file might change the object. */
  fetch(key: string, file: string): Promise<void>;

  /** What is known about an object; null when there is none. */
  stat(key: string): Promise<Stored | null>;

  /** Copies inside the store: no bytes travel through this process. @throws {ObjectMissing} */
  copy(from: string, to: string): Promise<void>;

  /** Moves inside the store; what was under `to` is replaced. @throws {ObjectMissing} */
  move(from: string, to: string): Promise<void>;

  /** Removes an object; it is no fault when there is none. */
  remove(key: string): Promise<void>;

  /**
   * Removes objects; those that are not there are no fault. There is no way to remove what merely lies under a prefix: a
   * folder may hold what belongs to others.
   */
  removeAll(keys: readonly string[]): Promise<void>;

  /** All objects whose key begins with `prefix`, one after the other, however many. */
  list(prefix: string): AsyncIterable<Listed>;

  /** A URL under which anyone may read the object for `seconds`. */
  presign(key: string, seconds: number): Promise<URL>;

  /** Returns when the store answers. @throws {Refusal} `STORE_AWAY` */
  check(): Promise<void>;
}

export interface OpenObject extends Stored {
  /**
   * The bytes, or a part of them.
   *
   * @param range offsets in bytes, both inclusive
   */
  read(range?: { start: number; end: number }): Promise<Readable>;
  /** For who does not read it after all. */
  close(): Promise<void>;
}

export interface Stored {
  /** In bytes. */
  size: number;
  /** Changes with the content; without quotes. */
  etag: string;
  modifiedAt: Date;
}

export interface Listed extends Stored {
  key: string;
}

/** There is no object under that key. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
  constructor(key: string, cause?: unknown) {
    super(`there is no object ${JSON.stringify(key)}`, { cause });
  }
}

/** The key can't be used: by its form, or because it lies under an object or over a folder. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
  constructor(key: string, why: string, cause?: unknown) {
    super(`the key ${JSON.stringify(key)} ${why}`, { cause });
  }
}

/** For a `catch`: the answer for a key that can't be used. Everything else stays an error. */
export const refusedIs =
  <Answer>(answer: Answer) =>
  (error: unknown): Answer => {
    if (error instanceof KeyRefused) return answer;
    throw error;
  };
